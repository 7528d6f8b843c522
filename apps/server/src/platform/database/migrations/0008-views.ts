import type { Migration } from '../migrate.ts'
import { run } from './columns.ts'

/**
 * Saved views, and how each person left a list. They name fields by attrName and are read through the reader's rights, so that nothing of an entity
 * stands in the way of changing it. Not in `biz`: nobody designs forms over them.
 */
const views = [
  `create table sys.list_view (
    id bigint primary key, tenant_id bigint not null, tag text not null, scope text not null check (scope in ('mine', 'role', 'everyone')), owner_id bigint not null, role_id bigint,
    name text not null, content jsonb not null, is_default boolean not null default false, version integer not null default 1,
    create_time timestamptz not null default now(), update_user bigint, update_time timestamptz not null default now(),
    check ((scope = 'role') = (role_id is not null)), check (scope <> 'mine' or not is_default))`,
  `create index sys_list_view_of_idx on sys.list_view (tenant_id, tag)`,
  `create unique index sys_list_view_mine_key on sys.list_view (tenant_id, tag, owner_id, lower(name)) where scope = 'mine'`,
  `create unique index sys_list_view_role_key on sys.list_view (tenant_id, tag, role_id, lower(name)) where scope = 'role'`,
  `create unique index sys_list_view_everyone_key on sys.list_view (tenant_id, tag, lower(name)) where scope = 'everyone'`,
  `create unique index sys_list_view_role_default on sys.list_view (tenant_id, tag, role_id) where is_default and scope = 'role'`,
  `create unique index sys_list_view_everyone_default on sys.list_view (tenant_id, tag) where is_default and scope = 'everyone'`,
  // A person's own default is their choice, not the view's property: it may be anybody's view, or the plain list.
  `create table sys.list_layout (tenant_id bigint not null, user_id bigint not null, tag text not null, columns jsonb, opens text not null default 'shared', update_time timestamptz not null default now(), primary key (tenant_id, user_id, tag))`,
]

export const viewsMigration: Migration = { name: '0008-views', up: (db) => run(db, views) }
