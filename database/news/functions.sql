call name_act('news_sources', 'created_by_act', 'news/add-source', 'news-source:', 'id');
call name_act('news_sources', 'changed_by_act', 'news/add-source news/change-source news/remove-source', 'news-source:', 'id');
