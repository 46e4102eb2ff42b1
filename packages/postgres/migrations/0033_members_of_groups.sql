-- Lists the members of a group; the primary key begins with the user.
create index user_groups_group on headwater.user_groups (group_id, user_id);
