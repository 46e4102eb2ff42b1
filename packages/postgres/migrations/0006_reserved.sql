-- Holds the number of a change that is made beside this one; goes when that one comes.
select 1;
