// Saves, deletes and chooses views. Views for a role or for everyone need a permission.
import {
  pickViewContent,
  isSameContent,
  opensPlain,
  opensShared,
  type SavedViews,
  type ViewInput,
} from '@jiaowu/api/entity/list/view'
import { limits } from '@jiaowu/api/limits'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Context } from '../../model/context.ts'
import type { EntityAccess } from '../../access/access.ts'
import { assertFooter } from '../figures/footer.ts'
import { assertGroup } from '../figures/table.ts'
import { listFields } from '../read/page.ts'
import { assertChoices } from '../read/filter/known-choices.ts'
import { compileQuery, buildFilterFault, unknownField } from '../read/query.ts'
import { whereColumns } from '../read/filter/where.ts'
import { type Fault, Invalid, notFound, Refusal, stale } from '../../platform/refusal.ts'
import { brokenConstraint } from '../../platform/database/problems.ts'
import { exactlyOne } from '../../platform/database/tables/row-count.ts'
import type { Tables } from '../../platform/database/tables/tables.ts'
import { transact } from '../../platform/database/transact.ts'
import { withRelated } from '../read/filter/related.ts'
import { contentIn, isPersonal, visibleContent, widthsFor, widthsIn } from './content.ts'
import { findView, isEditable, mayShare, type ViewRow, loadSavedViews } from './read.ts'

type Trx = Transaction<Tables>
const needsShare = () => new Refusal(403, { key: 'view.needsShare' })

type View = ViewInput & { readonly content: string }

export async function createView(
  context: Context,
  access: EntityAccess,
  input: ViewInput,
): Promise<SavedViews & { id: string }> {
  const {
    database: { kysely },
    subject,
  } = context
  const { tag } = access.entity
  const view = await validView(context, access, input)
  const id = context.newId()
  await transact(kysely, async (trx) => {
    await assertViewLimit(trx, context, tag, view)
    await clearOtherDefault(trx, context, tag, id, view)
    await trx
      .insertInto('sys.list_view')
      .values({
        id,
        tenant_id: subject.tenant,
        tag,
        owner_id: subject.userId,
        ...toViewColumns(view),
        update_user: subject.userId,
        update_time: context.now(),
      })
      .execute()
    await storeOwnDefault(trx, context, tag, id, view)
    auditShared(trx, context, 'view.create', tag, id, view)
  }).catch(nameTaken)
  return { ...(await loadSavedViews(context, access)), id }
}

/** Accepts only what a list would accept. @throws Invalid, Refusal 403 */
async function validView(context: Context, access: EntityAccess, input: ViewInput): Promise<View> {
  const name = input.name.trim()
  if (name === '') throw invalid('name', 'required', { key: 'rule.required' })
  if ([...name].length > limits.viewName)
    throw invalid('name', 'maxLength', { key: 'view.nameLength', params: { n: limits.viewName } })
  if (input.scope !== 'mine' && !mayShare(context)) throw needsShare()
  const roleId = input.scope === 'role' ? input.roleId : null
  if (input.scope === 'role') {
    const {
      database: { kysely },
      subject,
    } = context
    const role =
      roleId === null || !/^\d{1,19}$/.test(roleId)
        ? undefined
        : await kysely
            .selectFrom('sys.role')
            .select('id')
            .where('id', '=', roleId)
            .where('tenant_id', '=', subject.tenant)
            .where('deleted_at', 'is', null)
            .executeTakeFirst()
    if (role === undefined) throw invalid('roleId', 'required', { key: 'view.noRole' })
  }
  assertContent(await withRelated(context, access, input.where), input)
  await assertChoices(context, access, { queries: input.queries, where: input.where ?? undefined })
  const content = JSON.stringify(pickViewContent(input))
  if (Buffer.byteLength(content) > limits.viewBytes)
    throw invalid('queries', 'maxLength', { key: 'view.tooLarge' })
  return { ...input, name, roleId, content }
}

/** @throws Invalid with what a list of the caller would refuse */
function assertContent(
  access: EntityAccess,
  { queries, sorts, columns, where, group, footer, frozen }: ViewInput,
): void {
  compileQuery(access, { queries, sorts, ...(where === null ? {} : { where }) })
  const personal = Object.keys(queries).find((attrName) => isPersonal(access, attrName))
  if (personal !== undefined)
    throw invalid(`queries.${personal}`, 'personal', { key: 'pii.notInView' })
  if (whereColumns(where ?? undefined).some((attrName) => isPersonal(access, attrName)))
    throw invalid('where', 'personal', { key: 'pii.notInView' })
  if (group !== null) assertGroup(access, group)
  assertFooter(access, footer)
  assertColumns(access, columns)
  if (frozen !== null) assertColumns(access, [frozen])
}

function invalid(path: string, rule: string, message: Fault['message']) {
  return new Invalid([buildFilterFault(path, rule, message)])
}

function assertColumns(access: EntityAccess, columns: readonly string[] | null): void {
  if (columns === null) return
  const names = new Set(listFields(access).map(({ definition }) => definition.attrName))
  const unknown = columns
    .filter((name, index) => !names.has(name) || columns.indexOf(name) !== index)
    .map((name) => unknownField(`columns.${name}`))
  if (columns.length === 0)
    unknown.push(buildFilterFault('columns', 'required', { key: 'rule.required' }))
  if (unknown.length > 0) throw new Invalid(unknown)
}

/** Concurrent saves may exceed the limit; it only keeps the menu readable. */
async function assertViewLimit(trx: Trx, context: Context, tag: string, view: View): Promise<void> {
  const { n } = await siblingViews(trx, context, tag, view)
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .executeTakeFirstOrThrow()
  if (Number(n) >= limits.viewsPerPlace)
    throw invalid('name', 'tooMany', { key: 'view.tooMany', params: { n: limits.viewsPerPlace } })
}

/** Views with the same owner, role or audience. */
function siblingViews(
  trx: Trx,
  { subject }: Context,
  tag: string,
  { scope, roleId }: Pick<ViewInput, 'scope' | 'roleId'>,
) {
  const all = trx
    .selectFrom('sys.list_view')
    .where('tenant_id', '=', subject.tenant)
    .where('tag', '=', tag)
    .where('scope', '=', scope)
  return scope === 'mine'
    ? all.where('owner_id', '=', subject.userId)
    : scope === 'role'
      ? all.where('role_id', '=', roleId)
      : all
}

/**
 * Allows one default per role and one for everyone. The default of a user is in sys.list_layout.
 */
async function clearOtherDefault(
  trx: Trx,
  { subject }: Context,
  tag: string,
  id: string,
  { scope, roleId, isDefault }: View,
): Promise<void> {
  if (scope === 'mine' || !isDefault) return
  const others = trx
    .updateTable('sys.list_view')
    .set({ is_default: false })
    .where('tenant_id', '=', subject.tenant)
    .where('tag', '=', tag)
    .where('scope', '=', scope)
    .where('is_default', '=', true)
    .where('id', '<>', id)
  await (scope === 'role' ? others.where('role_id', '=', roleId) : others).execute()
}

function toViewColumns(view: View) {
  return {
    scope: view.scope,
    role_id: view.roleId,
    name: view.name,
    content: view.content,
    is_default: view.scope !== 'mine' && view.isDefault,
  }
}

async function storeOwnDefault(
  trx: Trx,
  context: Context,
  tag: string,
  id: string,
  { scope, isDefault }: View,
): Promise<void> {
  if (scope !== 'mine') return
  if (isDefault) {
    await storeOpening(trx, context, tag, id)
    return
  }
  await trx
    .updateTable('sys.list_layout')
    .set({ opens: opensShared })
    .where('tenant_id', '=', context.subject.tenant)
    .where('user_id', '=', context.subject.userId)
    .where('tag', '=', tag)
    .where('opens', '=', id)
    .execute()
}

async function storeOpening(
  db: Kysely<Tables>,
  { subject, now }: Context,
  tag: string,
  opens: string,
): Promise<void> {
  await db
    .insertInto('sys.list_layout')
    .values({
      tenant_id: subject.tenant,
      user_id: subject.userId,
      tag,
      columns: null,
      opens,
      update_time: now(),
    })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'user_id', 'tag']).doUpdateSet({ opens, update_time: now() }),
    )
    .execute()
}

function nameTaken(error: unknown): never {
  const broken = brokenConstraint(error)
  if (
    broken?.kind === 'unique' &&
    broken.constraint?.startsWith('sys_list_view_') === true &&
    broken.constraint.endsWith('_key')
  )
    throw invalid('name', 'unique', { key: 'view.nameTaken' })
  throw error
}

/** Audits changes of shared views; private views are not audited. */
function auditShared(
  trx: Trx,
  context: Context,
  action: string,
  tag: string,
  id: string,
  { scope, name }: Pick<ViewInput, 'scope' | 'name'>,
): void {
  if (scope !== 'mine')
    context.audit({ action, object: tag, objectId: id, result: 'ok', detail: { scope, name } }, trx)
}

/** @throws Refusal 409/40900 with the current views when the version is stale */
export async function updateView(
  context: Context,
  access: EntityAccess,
  id: string,
  { version, ...input }: ViewInput & { readonly version: number },
): Promise<SavedViews & { id: string }> {
  const {
    database: { kysely },
    subject,
  } = context
  const { tag } = access.entity
  const row = await editableView(context, tag, id)
  const view = await validView(context, access, input)
  const moves = row.scope !== view.scope || row.role_id !== view.roleId
  const isThere = await transact(kysely, async (trx) => {
    if (moves) await assertViewLimit(trx, context, tag, view)
    await clearOtherDefault(trx, context, tag, id, view)
    const { numUpdatedRows } = await trx
      .updateTable('sys.list_view')
      .set({
        ...toViewColumns(view),
        content: contentToStore(
          await withRelated(context, access, contentIn(row.content).where),
          row,
          view,
        ),
        ...(view.scope === 'mine' && { owner_id: subject.userId }),
        version: version + 1,
        update_user: subject.userId,
        update_time: context.now(),
      })
      .where('id', '=', id)
      .where('tenant_id', '=', subject.tenant)
      .where('version', '=', version)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await storeOwnDefault(trx, context, tag, id, view)
    const audited = row.scope === 'mine' ? view : { scope: row.scope, name: view.name }
    auditShared(trx, context, 'view.save', tag, id, audited)
    return true
  }).catch(nameTaken)
  if (!isThere) throw stale(await loadSavedViews(context, access))
  return { ...(await loadSavedViews(context, access)), id }
}

async function editableView(context: Context, tag: string, id: string): Promise<ViewRow> {
  const row = await findView(context, tag, id)
  if (row === undefined) throw notFound()
  if (!isEditable(context, row)) throw needsShare()
  return row
}

/** Keeps the parts invisible to the editor, unless the editor changed the visible ones. */
function contentToStore(access: EntityAccess, row: ViewRow, view: View): string {
  return isSameContent(visibleContent(access, contentIn(row.content)).content, view)
    ? JSON.stringify(contentIn(row.content))
    : view.content
}

export async function removeView(
  context: Context,
  access: EntityAccess,
  id: string,
): Promise<SavedViews> {
  const { tag } = access.entity
  const row = await editableView(context, tag, id)
  await transact(context.database.kysely, async (trx) => {
    exactlyOne(
      await trx
        .deleteFrom('sys.list_view')
        .where('id', '=', id)
        .where('tenant_id', '=', context.subject.tenant)
        .executeTakeFirst(),
      row.name,
    )
    await trx
      .updateTable('sys.list_layout')
      .set({ opens: opensShared })
      .where('tenant_id', '=', context.subject.tenant)
      .where('tag', '=', tag)
      .where('opens', '=', id)
      .execute()
    auditShared(trx, context, 'view.delete', tag, id, row)
  })
  return await loadSavedViews(context, access)
}

/** Sets what the caller's list opens with. @throws Invalid for a view the caller may not use */
export async function chooseOpening(
  context: Context,
  access: EntityAccess,
  opens: string,
): Promise<SavedViews> {
  const { tag } = access.entity
  if (
    opens !== opensPlain &&
    opens !== opensShared &&
    (await findView(context, tag, opens)) === undefined
  )
    throw invalid('opens', 'unknownView', { key: 'view.unknown' })
  await storeOpening(context.database.kysely, context, tag, opens)
  return await loadSavedViews(context, access)
}

export async function saveLayout(
  { database: { kysely }, subject, now }: Context,
  access: EntityAccess,
  columns: readonly string[] | null,
): Promise<{ columns: string[] | null }> {
  assertColumns(access, columns)
  const kept = columns === null ? null : JSON.stringify(columns)
  await kysely
    .insertInto('sys.list_layout')
    .values({
      tenant_id: subject.tenant,
      user_id: subject.userId,
      tag: access.entity.tag,
      columns: kept,
      update_time: now(),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'user_id', 'tag'])
        .doUpdateSet({ columns: kept, update_time: now() }),
    )
    .execute()
  return { columns: columns === null ? null : [...columns] }
}

/**
 * Merges widths into the stored ones, so that two windows do not overwrite each other; null removes
 * a width.
 * @throws Invalid for a column not in the caller's list
 */
export async function saveWidths(
  { database: { kysely }, subject, now }: Context,
  access: EntityAccess,
  given: Readonly<Record<string, number | null>>,
): Promise<{ widths: Record<string, number> }> {
  const names = new Set(listFields(access).map(({ definition }) => definition.attrName))
  const unknown = Object.keys(given)
    .filter((name) => !names.has(name))
    .map((name) => unknownField(`widths.${name}`))
  if (unknown.length > 0) throw new Invalid(unknown)
  const widths = JSON.stringify(given)
  const row = await kysely
    .insertInto('sys.list_layout')
    .values({
      tenant_id: subject.tenant,
      user_id: subject.userId,
      tag: access.entity.tag,
      widths: sql<string>`jsonb_strip_nulls(${widths}::jsonb)`,
      update_time: now(),
    })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'user_id', 'tag']).doUpdateSet({
        widths: sql<string>`
          jsonb_strip_nulls(coalesce(sys.list_layout.widths, '{}'::jsonb) || ${widths}::jsonb)`,
        update_time: now(),
      }),
    )
    .returning('widths')
    .executeTakeFirstOrThrow()
  return { widths: widthsFor(access, widthsIn(row.widths)) }
}
