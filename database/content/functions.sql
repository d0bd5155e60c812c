call write_once('{content_versions}', 'content_versions_only_grow', 'every version of a text is kept');

-- A consent that ends unpublishes its testimonial in the same moment.
create or replace function unpublish_without_consent() returns trigger language plpgsql as $$
begin
  update testimonials set published_consent_id = null, published_at = null
   where published_consent_id = new.id;
  return null;
end
$$;

-- A consent is deleted with its account, and not before.
create or replace function refuse_to_forget_who_is_here() returns trigger language plpgsql as $$
begin
  if not exists (select from customers where id = old.customer_id and closed_at is not null) then
    raise check_violation using constraint = 'consents_go_with_the_account',
      message = 'these words are deleted with their account only';
  end if;
  return old;
end
$$;
create or replace trigger consents_go_with_the_account before delete on testimonial_consents
  for each row execute function refuse_to_forget_who_is_here();

-- Acts that are not named on the row alone: a text's version is an act on its piece, and a question that is moved moves the others.
create or replace function guard_act_on_content() returns trigger language plpgsql security definer as $$
begin
  if tg_table_name = 'content_versions' then
    if exists (select from audit_log a join content_pieces c on a.subject = 'content:' || c.kind || '/' || c.slug
                where c.id = new.piece_id and a.id = new.act_id
                  and a.act = case new.state when 'draft' then 'content/save-draft' when 'published' then 'content/publish'
                                             else 'content/withdraw' end) then
      return new;
    end if;
  elsif exists (select from audit_log a
                 where a.id = new.created_by_act
                   and (a.act in ('content/save-draft', 'content/publish', 'content/withdraw')
                          and a.subject = 'content:' || new.kind || '/' || new.slug
                        or a.act = 'content/move' and starts_with(a.subject, 'content:' || new.kind || '/')))
        and (new.moved_by_act is null or exists (
          select from audit_log a
           where a.id = new.moved_by_act and a.act = 'content/move' and starts_with(a.subject, 'content:' || new.kind || '/'))) then
    return new;
  end if;
  raise exception 'The act that % names did something else.', tg_table_name
    using errcode = 'check_violation', constraint = 'acts_are_what_they_are_named_for';
end
$$;

-- Guards
create or replace trigger zz_acts_are_what_they_name before insert or update on content_pieces
  for each row execute function guard_act_on_content();
create or replace trigger zz_act_is_what_it_names before insert on content_versions for each row execute function guard_act_on_content();
call name_act('testimonials', 'invited_by_act', 'content/invite-testimonial', 'testimonial:', 'id');
call name_act('testimonials', 'withdrawn_by_act', 'content/withdraw-invitation', 'testimonial:', 'id');
call name_act('testimonials', 'published_by_act', 'content/publish-testimonial', 'testimonial:', 'id');
call name_act('testimonials', 'unpublished_by_act', 'content/unpublish-testimonial', 'testimonial:', 'id');
create or replace trigger nothing_is_shown_without_consent after update of ended_at on testimonial_consents
  for each row when (new.ended_at is not null) execute function unpublish_without_consent();
