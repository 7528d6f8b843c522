import type { Migration } from '../migrate.ts'
import { run } from '../columns.ts'

/**
 * Saved views, and each user's list settings. They name fields by attrName and are read with the
 * reader's grants, so they never block a change of the entity. In `sys`, so that no entity can be
 * designed over them.
 */
const views = [
  `create table sys.list_view (
    id bigint primary key, tenant_id bigint not null, tag text not null,
    scope text not null check (scope in ('mine', 'role', 'everyone')), owner_id bigint not null,
    role_id bigint,
    name text not null, content jsonb not null, is_default boolean not null default false,
    version integer not null default 1,
    create_time timestamptz not null default now(), update_user bigint,
    update_time timestamptz not null default now(),
    check ((scope = 'role') = (role_id is not null)), check (scope <> 'mine' or not is_default))`,
  `create index sys_list_view_of_idx on sys.list_view (tenant_id, tag)`,
  `create unique index sys_list_view_mine_key on sys.list_view (tenant_id, tag, owner_id,
    lower(name)) where scope = 'mine'`,
  `create unique index sys_list_view_role_key on sys.list_view (tenant_id, tag, role_id,
    lower(name)) where scope = 'role'`,
  `create unique index sys_list_view_everyone_key on sys.list_view (tenant_id, tag,
    lower(name)) where scope = 'everyone'`,
  `create unique index sys_list_view_role_default on sys.list_view (tenant_id, tag,
    role_id) where is_default and scope = 'role'`,
  `create unique index sys_list_view_everyone_default on sys.list_view (tenant_id,
    tag) where is_default and scope = 'everyone'`,
  // A user's default is stored here, not with the view: it may be any visible view or none.
  `create table sys.list_layout (tenant_id bigint not null, user_id bigint not null, tag text not null,
    columns jsonb, opens text not null default 'shared', update_time timestamptz not null default now(),
    primary key (tenant_id, user_id, tag))`,
]

export const viewsMigration: Migration = { name: '0008-views', up: (db) => run(db, views) }
