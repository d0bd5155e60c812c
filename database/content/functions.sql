call write_once('{content_versions}', 'content_versions_only_grow', 'every version of a text is kept');

-- A consent that ends unpublishes its testimonial in the same moment.
create or replace function unpublish_without_consent() returns trigger language plpgsql as $$
begin
  update testimonials set published_consent_id = null, published_at = null where published_consent_id = new.id;
  return null;
end $$;
create or replace trigger nothing_is_shown_without_consent after update of ended_at on testimonial_consents
  for each row when (new.ended_at is not null) execute function unpublish_without_consent();
call check_rows('testimonial_consents', 'before delete', 'consents_go_with_the_account',
  'exists (select from customers where id = old.customer_id and closed_at is not null)');

-- Acts that are not on the row alone: a text's version is an act on its piece, and a question that is moved moves others.
call check_rows('content_versions', 'before insert', 'zz_versions_are_acts_on_their_piece', 'acts_are_what_they_are_named_for', $$
  exists (select from audit_log a join content_pieces c on a.subject = 'content:' || c.kind || '/' || c.slug
           where c.id = new.piece_id and a.id = new.act_id and a.act = 'content/' ||
             case new.state when 'draft' then 'save-draft' when 'published' then 'publish' else 'withdraw' end)$$);
call check_rows('content_pieces', 'before insert or update', 'zz_pieces_are_made_and_moved_by_acts', 'acts_are_what_they_are_named_for', $$
  exists (select from audit_log a where a.id = new.created_by_act
             and case a.act when 'content/move' then starts_with(a.subject, 'content:' || new.kind || '/')
                   else a.act in ('content/save-draft', 'content/publish', 'content/withdraw')
                        and a.subject = 'content:' || new.kind || '/' || new.slug end)
  and (new.moved_by_act is null or exists (
    select from audit_log a
     where a.id = new.moved_by_act and a.act = 'content/move' and starts_with(a.subject, 'content:' || new.kind || '/')))$$);
call name_act('testimonials', 'invited_by_act', 'content/invite-testimonial', 'testimonial:', 'id');
call name_act('testimonials', 'withdrawn_by_act', 'content/withdraw-invitation', 'testimonial:', 'id');
call name_act('testimonials', 'published_by_act', 'content/publish-testimonial', 'testimonial:', 'id');
call name_act('testimonials', 'unpublished_by_act', 'content/unpublish-testimonial', 'testimonial:', 'id');
create or replace function company_in_mails() returns jsonb language sql stable as $$ -- Who runs the site: platform/mail asks.
  select case state when 'published' then body end from content_versions where kind = 'company' and state <> 'draft'
   order by version desc limit 1 $$;
