-- Valid shape for searches: same area, and its lines. PostGIS fails at other shapes, and then every search near such a
-- shape would fail.
create function headwater.searched_shape(shape geometry) returns geometry language plpgsql immutable strict as $$
begin
  if ST_IsValid(shape) then
    return shape;
  end if;
  return ST_Collect(ST_MakeValid(shape, 'method=structure keepcollapsed=true'), ST_Boundary(shape));
exception when undefined_function or internal_error then
  -- Before PostGIS 3.2 or GEOS 3.10: part by part, which loses a hole along the border.
  return (select ST_UnaryUnion(ST_Collect(ST_MakeValid(part.geom))) from ST_Dump(shape) as part);
end
$$;

update headwater.items set geometry = headwater.searched_shape(geometry) where not ST_IsValid(geometry);
