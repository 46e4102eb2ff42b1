-- What searches test of an outline that crosses itself, has parts that overlap, or a hole along its border or beyond: the same area, drawn validly, and
-- its lines. PostGIS fails at others, and with them every search of a shape near such an Item. Its content stays as it was published.
create function headwater.searched_shape(shape geometry) returns geometry language plpgsql immutable strict as $$
begin
  if ST_IsValid(shape) then
    return shape;
  end if;
  return ST_Collect(ST_MakeValid(shape, 'method=structure keepcollapsed=true'), ST_Boundary(shape));
exception when undefined_function or internal_error then
  -- Before PostGIS 3.2, or GEOS 3.10 below it, part by part, where a hole along the border is lost.
  return (select ST_UnaryUnion(ST_Collect(ST_MakeValid(part.geom))) from ST_Dump(shape) as part);
end
$$;

update headwater.items set geometry = headwater.searched_shape(geometry) where not ST_IsValid(geometry);
