import type { Migration } from '../migrate.ts'
import { run } from '../columns.ts'

/** The stamp of a caller (identity/callers.ts), with the same text; before this migration without the person. */
const callerStamp = `create or replace function sys.caller_stamp(school bigint, token text) returns text
  language plpgsql stable as $$
  begin
    return (
      select row(s.ended_at, s.user_id, x.status, u.account, u.name, u.status, u.must_change_password,
        u.person_tag, u.person_id, o.id, o.name, (
          select string_agg(concat_ws(':', r.id, r.version, r.status, r.code), ',' order by r.id)
          from sys.role r
          where r.tenant_id = school and r.id::text = any(u.role_ids) and r.deleted_at is null
        ))::text
      from sys.session s
      join sys.tenant x on x.id = s.tenant_id
      left join sys.app_user u on u.tenant_id = s.tenant_id and u.id = s.user_id
        and s.kind = 'staff' and u.deleted_at is null
      left join sys.org o on o.tenant_id = u.tenant_id and o.id = u.org_id
      where s.tenant_id = school and s.access_hash = token
    );
  end $$`

/**
 * The person whom an account belongs to: `person_id` is the id of a row of the entity `person_tag`. A person
 * has at most one account of a school (docs/rules/security.md#rules-across-relations).
 */
export const accountPersonsMigration: Migration = {
  name: '0046-account-persons',
  up: (db) =>
    run(db, [
      `alter table sys.app_user add column person_tag text, add column person_id text,
         add constraint app_user_person_whole check ((person_tag is null) = (person_id is null))`,
      `create unique index sys_app_user_person_key on sys.app_user (tenant_id, person_tag, person_id)
         where deleted_at is null and person_id is not null`,
      callerStamp,
    ]),
}
