-- Nothing: the number is kept free for another change.
select 1;
