call change_only('kyc_submissions', 'submissions_are_never_rewritten',
  'state second_review_reason second_review_act', once => 'decided_at valid_until expired_at');
create or replace trigger kyc_submissions_are_decided_once before insert or update on kyc_submissions
  for each row execute function move_forward('new: submitted', 'submitted: submitted approved declined', 'approved: approved expired');
call check_rows('kyc_submissions', 'before insert', 'submissions_name_the_country_that_was_stated_last', $$
  new.country is not distinct from (select r.country from residence_statements r where r.customer_id = new.customer_id
                                     order by r.stated_at desc, r.id desc limit 1)$$);
call check_rows('kyc_submissions', 'before update', 'kyc_submissions_rest_on_reviews',
  'second_reviews_are_never_taken_back: A second review is asked for once, by a staff act, while it waits, and never taken back.', $$
  (new.second_review_reason, new.second_review_act) is not distinct from (old.second_review_reason, old.second_review_act)
  or old.state = 'submitted' and new.state = 'submitted' and old.second_review_reason is null and exists (
    select from audit_log a where a.id = new.second_review_act and a.act = 'kyc/ask-second-review'
       and a.subject = 'kyc:' || new.id and a.customer_id = new.customer_id)$$,
  'declines_have_a_review_and_a_reason: Who declines says why.', $$new.state <> 'declined' or exists (
    select from kyc_reviews r join kyc_decline_reasons w on w.review_id = r.id
     where r.submission_id = new.id and r.verdict = 'decline')$$);
call check_rows('kyc_submissions', 'before update when (new.state = ''approved'' and old.state <> ''approved'')',
  'approvals_rest_on_reviews',
  'approvals_rest_on_reviews: An approval needs 1 verifier who approves, and none who declines.',
  '(select bool_and(r.verdict = ''approve'') from kyc_reviews r where r.submission_id = new.id) is true',
  'high_risks_are_approved_by_two_verifiers: An approval needs 2 different verifiers.',
  'new.second_review_reason is null or (select count(*) > 1 from kyc_reviews r where r.submission_id = new.id)',
  'approvals_rest_on_every_document', $$not exists (
    select from unnest(array['identity-front', 'identity-back', new.second_proof]) asked
     where (asked <> 'identity-back' or new.identity_kind <> 'passport') and not exists (
       select from kyc_submission_documents s join kyc_documents d on d.id = s.document_id
        where s.submission_id = new.id and d.purpose = asked and d.stored_at is not null and d.erasing_at is null))$$);

-- Two verifiers at once come one after the other.
call check_rows('kyc_reviews', 'before insert', 'kyc_reviews_are_staff_acts',
  'only_waiting_submissions_are_reviewed',
  '(select s.state from kyc_submissions s where s.id = new.submission_id for update) is not distinct from ''submitted''',
  'kyc_reviews_are_staff_acts', $$exists (
    select from audit_log a join kyc_submissions s on s.id = new.submission_id and s.customer_id = a.customer_id
     where a.id = new.act_id and a.act = 'kyc/' || new.verdict and a.operator_id = new.operator_id
       and a.subject = 'kyc:' || s.id)$$);

call check_rows('kyc_documents', 'before update when (new.erasing_at is distinct from old.erasing_at)',
  'documents_under_review_are_kept',
  'an_erased_document_does_not_come_back', 'old.erasing_at is null',
  'a_document_under_review_is_kept', $$not exists (
    select from kyc_submission_documents s join kyc_submissions v on v.id = s.submission_id
     where s.document_id = new.id and v.state = 'submitted')$$);

-- What was verified about somebody who left. The law on money laundering asks to keep who somebody was with whom there was
-- business, for years: the last approval, its reviews, and the country stated last. All else goes with the account; of who
-- never had a coin in the ledger everything does, and of everybody once the years are over.
create or replace function erase_kyc_of(person uuid, keep_years int, moment timestamptz) returns void
  language plpgsql security definer as $$
declare
  left_at timestamptz := (select closed_at from customers where id = person);
  keeps boolean := left_at > moment - make_interval(years => keep_years) and exists (select from ledger_accounts where owner_id = person);
  gone uuid[] := array(select id from kyc_submissions where customer_id = person and id is distinct from (
    select id from kyc_submissions
     where keeps and customer_id = person and state in ('approved', 'expired') order by decided_at desc limit 1));
begin
  perform moment::ledger_time;
  perform demand('only_who_left_is_forgotten', left_at is not null);
  delete from kyc_decline_reasons where review_id in (select id from kyc_reviews where submission_id = any (gone));
  delete from kyc_reviews where submission_id = any (gone);
  delete from kyc_submission_documents where submission_id = any (gone);
  delete from kyc_submissions where id = any (gone);
  delete from residence_statements where customer_id = person and id is distinct from (
    select id from residence_statements where keeps and customer_id = person order by stated_at desc, id desc limit 1);
  delete from kyc_drafts where customer_id = person;
end $$;
grant execute on function erase_kyc_of to assay_app;
