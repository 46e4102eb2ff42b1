-- The shape that searches test for a self-intersecting outline, overlapping parts, or a hole along or beyond the border: the same area as a valid
-- shape, and its lines. PostGIS would fail at other shapes, and with them every search near such an Item. The Item's content does not change.
create function headwater.searched_shape(shape geometry) returns geometry language plpgsql immutable strict as $$
begin
  if ST_IsValid(shape) then
    return shape;
  end if;
  return ST_Collect(ST_MakeValid(shape, 'method=structure keepcollapsed=true'), ST_Boundary(shape));
exception when undefined_function or internal_error then
  -- Before PostGIS 3.2, or with an older GEOS than 3.10: part by part, which loses a hole along the border.
  return (select ST_UnaryUnion(ST_Collect(ST_MakeValid(part.geom))) from ST_Dump(shape) as part);
end
$$;

update headwater.items set geometry = headwater.searched_shape(geometry) where not ST_IsValid(geometry);
