// Reads and saves definitions for the designer. A save adds a revision, and succeeds only over the
// version that was loaded (docs/rules/contract.md#definitions).
import { compareNames } from '@jiaowu/api/compare-names'
import {
  type EntityDefinition,
  entityDefinitionSchema,
  type FieldDefinition,
} from '@jiaowu/api/entity/definition/definition'
import type { StoredEntity } from '@jiaowu/api/entity/definition/stored'
import { t } from '@jiaowu/api/texts/index'
import type { Kysely, Selectable, Transaction } from 'kysely'
import * as v from 'valibot'
import type { Context } from '../../model/context.ts'
import { assertSheetsKept } from '../entry/locks.ts'
import { switchOn } from '../custom-sql/cuts.ts'
import { askProof } from '../flow/ask-proof.ts'
import { makeDictionaries, withoutItems } from './dictionaries.ts'
import { guardDefinition } from '../../model/definition/registry/guard.ts'
import { followRenames, findRenames } from '../views/rename.ts'
import { readDefinition } from '../../model/definition/registry/newer.ts'
import { localTime } from '../../model/fields/local-time.ts'
import { listPath } from '../../access/shipped-menu.ts'
import { notFound, Refusal } from '../../platform/refusal.ts'
import type { Tables } from '../../platform/database/tables/tables.ts'
import { exactlyOne } from '../../platform/database/tables/row-count.ts'
import { transact } from '../../platform/database/transact.ts'

/** Holds the shipped definitions; a tenant's own definition of the same tag replaces one. */
const baseTenant = '0'
type Row = Selectable<Tables['sys.entity']> & { readonly user_name: string | null }

/**
 * @throws Refusal 503 when a newer program has written it: a save here would lose what is unknown here
 * @throws Error when the stored definition is damaged
 */
function parseStoredEntity(row: Row): StoredEntity {
  const read = readDefinition(row.definition)
  if ('reasons' in read) throw new Error(`A stored definition cannot be read: ${read.reasons[0]}`)
  if (read.unknown.length > 0) throw new Refusal(503, { key: 'entity.newer' }, { retryAfter: 10 })
  const { definition } = read
  return {
    ...(guardDefinition(definition, () => {}) ?? definition),
    id: row.id,
    version: row.version,
    builtIn: row.tenant_id === baseTenant,
    updateTime: localTime(new Date(row.update_time)),
    updateUser: row.user_name,
  }
}

/** The definition a tenant works with. @throws Refusal 404 */
export async function loadByTag(context: Context, tag: string): Promise<StoredEntity> {
  const row = ownOrShipped(
    (await readRows(context).where('sys.entity.tag', '=', tag).execute()) as Row[],
  )
  if (row === undefined) throw notFound()
  return parseStoredEntity(row)
}

function ownOrShipped(rows: readonly Row[]): Row | undefined {
  return rows.find(({ tenant_id }) => tenant_id !== baseTenant) ?? rows[0]
}

function readRows({ database: { kysely }, subject }: Pick<Context, 'database' | 'subject'>) {
  return kysely
    .selectFrom('sys.entity')
    .leftJoin('sys.app_user', (join) =>
      join
        .on('sys.app_user.tenant_id', '=', subject.tenant)
        .onRef('sys.app_user.id', '=', 'sys.entity.update_user'),
    )
    .selectAll('sys.entity')
    .select('sys.app_user.name as user_name')
    .where('sys.entity.tenant_id', 'in', [baseTenant, subject.tenant])
}

export async function loadById(context: Context, id: string): Promise<StoredEntity> {
  const row = /^\d{1,19}$/.test(id)
    ? ((await readRows(context).where('sys.entity.id', '=', id).executeTakeFirst()) as
        | Row
        | undefined)
    : undefined
  if (row === undefined) throw notFound()
  return parseStoredEntity(row)
}

/** One definition per tag, preferring the tenant's own, sorted by tag. */
export async function loadAll(context: Context): Promise<readonly StoredEntity[]> {
  return [...Map.groupBy((await readRows(context).execute()) as Row[], ({ tag }) => tag).values()]
    .flatMap((rows) => {
      const row = ownOrShipped(rows)
      return row === undefined ? [] : [parseStoredEntity(row)]
    })
    .toSorted((a, b) => compareNames(a.tag, b.tag))
}

/** Returns false, without saving, when another save came first. */
export async function saveDefinition(
  context: Context,
  before: StoredEntity,
  definition: EntityDefinition,
  note: string | null,
): Promise<boolean> {
  try {
    await transact(context.database.kysely, (trx) =>
      writeDefinition(trx, context, before, { definition, note }),
    )
    return true
  } catch (error) {
    if (error instanceof SavedMeanwhile) return false
    throw error
  }
}

/** The statements of {@link saveDefinition}, for a transaction that does more. @throws SavedMeanwhile */
export async function writeDefinition(
  trx: Transaction<Tables>,
  context: Context,
  before: StoredEntity,
  { definition, note }: { readonly definition: EntityDefinition; readonly note: string | null },
): Promise<void> {
  const { subject, now } = context
  const [complete, version] = [
    withIds(withoutItems(definition), before.fields, context.newId),
    before.version + 1,
  ]
  await assertSheetsKept(trx, context, before, complete)
  await switchOn(trx, subject.tenant, complete)
  await makeDictionaries(trx, context, [definition])
  context.audit(
    {
      action: 'entity.design.save',
      object: before.tag,
      objectId: before.id,
      result: 'ok',
      detail: { version },
    },
    trx,
  )
  await followRenames(trx, context, before.tag, findRenames(before, complete))
  if (before.options.flow !== undefined || complete.options.flow !== undefined)
    await askProof(trx, context)
  if (before.builtIn) {
    await insertOwn(trx, context, [complete], version, note)
    return
  }
  const text = JSON.stringify(complete)
  const changed = await trx
    .updateTable('sys.entity')
    .set({
      definition: text,
      name: complete.name,
      version,
      update_user: subject.userId,
      update_time: now(),
    })
    .where('id', '=', before.id)
    .where('tenant_id', '=', subject.tenant)
    .where('version', '=', before.version)
    .executeTakeFirst()
  if (changed.numUpdatedRows === 0n) throw new SavedMeanwhile()
  await insertRevisions(trx, context, [{ id: before.id, tag: before.tag, version, text }], note)
}

/** Rolls the transaction back, with its audit line. */
export class SavedMeanwhile extends Error {}

/** Keeps the field ids of the earlier save and replaces temporary and foreign ids by new ones. */
function withIds(
  definition: EntityDefinition,
  before: readonly FieldDefinition[],
  newId: () => string,
): EntityDefinition {
  const known = new Set(before.map(({ id }) => id))
  const byName = new Map(before.map(({ attrName, id }) => [attrName, id]))
  const taken = new Set<string>()
  const idFor = (field: FieldDefinition): string => {
    const wanted = known.has(field.id) ? field.id : byName.get(field.attrName)
    return wanted === undefined || taken.has(wanted) ? newId() : wanted
  }
  return {
    ...definition,
    fields: definition.fields.map((field) => {
      const id = idFor(field)
      taken.add(id)
      return { ...field, id }
    }),
  }
}

/**
 * Inserts the tenant's own definitions, which replace shipped ones of the same tags for this tenant.
 * Few statements for all of them: a database may bring hundreds.
 * @throws Refusal 409 for a tag that is taken
 */
async function insertOwn(
  db: Kysely<Tables>,
  context: Context,
  definitions: readonly EntityDefinition[],
  version: number,
  note: string | null,
): Promise<void> {
  const { newId, subject, now } = context
  for (const part of splitIntoChunks(definitions)) {
    const rows = part.map((definition) => ({
      id: newId(),
      tenant_id: subject.tenant,
      tag: definition.tag,
      name: definition.name,
      definition: JSON.stringify(definition),
      version,
      create_user: subject.userId,
      update_user: subject.userId,
      update_time: now(),
    }))
    const added = new Set(
      (
        await db
          .insertInto('sys.entity')
          .values(rows)
          .onConflict((conflict) => conflict.columns(['tenant_id', 'tag']).doNothing())
          .returning('tag')
          .execute()
      ).map(({ tag }) => tag),
    )
    const taken = rows.find(({ tag }) => !added.has(tag))
    if (taken !== undefined)
      throw new Refusal(409, { key: 'design.tagTaken', params: { tag: taken.tag } })
    await insertRevisions(
      db,
      context,
      rows.map(({ id, tag, definition: text }) => ({ id, tag, version, text })),
      note,
    )
  }
}

/** Rows of one statement: PostgreSQL takes at most 65,535 parameters. */
const rowsAtOnce = 100

function splitIntoChunks<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / rowsAtOnce) }, (_, i) =>
    all.slice(i * rowsAtOnce, (i + 1) * rowsAtOnce),
  )
}

async function insertRevisions(
  db: Kysely<Tables>,
  { newId, subject }: Context,
  rows: readonly { id: string; tag: string; version: number; text: string }[],
  note: string | null,
): Promise<void> {
  await db
    .insertInto('sys.entity_revision')
    .values(
      rows.map(({ id, tag, version, text }) => ({
        id: newId(),
        entity_id: id,
        tenant_id: subject.tenant,
        tag,
        version,
        definition: text,
        note,
        create_user: subject.userId,
      })),
    )
    .execute()
}

/** How new definitions are saved. `menuId`: the branch for their menu entries. */
export interface CreateOptions {
  readonly note: string | null
  readonly menu: boolean
  readonly menuId?: string | null
}

/** Saves all of the definitions or none. @throws Refusal 409 for a tag that is taken */
export async function createDefinitions(
  context: Context,
  definitions: readonly EntityDefinition[],
  { note, menu, menuId = null }: CreateOptions,
): Promise<void> {
  const { registry, subject, newId } = context
  for (const { tag } of definitions)
    if ((await registry.find(subject.tenant, tag)) !== undefined)
      throw new Refusal(409, { key: 'design.tagTaken', params: { tag } })
  await transact(context.database.kysely, async (trx) => {
    await makeDictionaries(trx, context, definitions)
    const branch = menu ? await menuBranch(trx, context, menuId) : null
    for (const definition of definitions) await switchOn(trx, subject.tenant, definition)
    const complete = definitions.map((each) => withIds(withoutItems(each), [], newId))
    await insertOwn(trx, context, complete, 1, note)
    if (complete.some(({ options }) => options.flow !== undefined)) await askProof(trx, context)
    if (branch !== null) await addToMenu(trx, context, definitions, branch)
    for (const { tag } of definitions)
      context.audit({ action: 'entity.design.create', object: tag, result: 'ok' }, trx)
  })
}

/**
 * The branch of the menu for new entries: the named one, else that for entities made by users, which
 * is made when it is missing. @throws Refusal 404 for an unknown branch
 */
async function menuBranch(
  db: Kysely<Tables>,
  { newId, subject }: Context,
  menuId: string | null,
): Promise<string> {
  const name = t('zh-CN', 'design.branch')
  const branches = await db
    .selectFrom('sys.menu')
    .select(['id', 'name', 'path'])
    .where('tenant_id', '=', subject.tenant)
    .where('deleted_at', 'is', null)
    .execute()
  if (menuId !== null) {
    if (!branches.some(({ id }) => id === menuId)) throw notFound()
    return menuId
  }
  const known = branches.find((branch) => branch.name === name && branch.path === '')
  if (known !== undefined) return known.id
  const id = newId()
  await db
    .insertInto('sys.menu')
    .values({
      id,
      tenant_id: subject.tenant,
      pid: '0',
      name,
      name_en: t('en', 'design.branch'),
      path: '',
      icon: 'database',
      sort: 50,
    })
    .execute()
  return id
}

async function addToMenu(
  db: Kysely<Tables>,
  { newId, subject }: Context,
  definitions: readonly EntityDefinition[],
  pid: string,
): Promise<void> {
  const entries = definitions.map(({ tag, name, nameEn }, sort) => ({
    id: newId(),
    tenant_id: subject.tenant,
    pid,
    name,
    name_en: nameEn ?? null,
    path: listPath(tag),
    icon: 'th',
    tag,
    sort,
  }))
  for (const part of splitIntoChunks(entries))
    await db.insertInto('sys.menu').values(part).execute()
}

/**
 * Deletes a tenant's own definition and its revisions. A shipped definition of the same tag becomes
 * visible again; without one the menu entries are deleted too.
 * The audit line keeps the definition as `audited` shows it. @throws Refusal 403 for a shipped one
 */
export async function removeDefinition(
  context: Context,
  stored: StoredEntity,
  audited: object,
): Promise<void> {
  if (stored.builtIn) throw new Refusal(403, { key: 'design.builtIn' })
  await transact(context.database.kysely, (trx) => deleteDefinition(trx, context, stored, audited))
}

/** The statements of {@link removeDefinition}, for a transaction that does more. */
export async function deleteDefinition(
  trx: Transaction<Tables>,
  context: Context,
  stored: StoredEntity,
  audited: object,
): Promise<void> {
  const { subject, now } = context
  exactlyOne(
    await trx
      .deleteFrom('sys.entity')
      .where('id', '=', stored.id)
      .where('tenant_id', '=', subject.tenant)
      .executeTakeFirst(),
    stored.name,
  )
  const shipped = await trx
    .selectFrom('sys.entity')
    .select('definition')
    .where('tenant_id', '=', baseTenant)
    .where('tag', '=', stored.tag)
    .executeTakeFirst()
  await assertSheetsKept(
    trx,
    context,
    stored,
    shipped === undefined ? undefined : v.parse(entityDefinitionSchema, shipped.definition),
  )
  if (shipped === undefined)
    await trx
      .updateTable('sys.menu')
      .set({ deleted_at: now() })
      .where('tenant_id', '=', subject.tenant)
      .where('tag', '=', stored.tag)
      .execute()
  if (stored.options.flow !== undefined) await askProof(trx, context)
  context.audit(
    {
      action: 'entity.design.delete',
      object: stored.tag,
      objectId: stored.id,
      result: 'ok',
      detail: { definition: audited },
    },
    trx,
  )
}

/** All revisions of a tag, newest first: the tenant's own, and those of the shipped definition. */
export async function loadRevisions({ database: { kysely }, subject }: Context, tag: string) {
  const rows = await kysely
    .selectFrom('sys.entity_revision')
    .leftJoin('sys.app_user', (join) =>
      join
        .on('sys.app_user.tenant_id', '=', subject.tenant)
        .onRef('sys.app_user.id', '=', 'sys.entity_revision.create_user'),
    )
    .selectAll('sys.entity_revision')
    .select('sys.app_user.name as user_name')
    .where('sys.entity_revision.tag', '=', tag)
    .where('sys.entity_revision.tenant_id', 'in', [baseTenant, subject.tenant])
    .orderBy('sys.entity_revision.version', 'desc')
    .execute()
  const mine = new Set(
    rows.filter(({ tenant_id }) => tenant_id !== baseTenant).map(({ version }) => version),
  )
  return rows.filter(({ tenant_id, version }) => tenant_id !== baseTenant || !mine.has(version))
}
