-- Guards
create or replace trigger zz_created_by_act_is_what_it_names before insert or update on news_sources
  for each row execute function guard_named_act('created_by_act', 'news/add-source', 'news-source:', 'id');
create or replace trigger zz_changed_by_act_is_what_it_names before insert or update on news_sources
  for each row execute function guard_named_act(
    'changed_by_act', 'news/add-source news/change-source news/remove-source', 'news-source:', 'id');
