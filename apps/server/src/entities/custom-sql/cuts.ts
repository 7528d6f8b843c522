// Counts the runs of a custom SQL that exceeded their time. After the second one the statement is
// switched off and its designers get a message; saving a definition that contains it switches it on again
// (docs/rules/security.md#i3).
import { createHash } from 'node:crypto'
import { defaultTypes, dictTypes } from '@jiaowu/api/entity/enums'
import type { EntityDefinition } from '@jiaowu/api/entity/definition/definition'
import { locales } from '@jiaowu/api/locale'
import { messageText } from '@jiaowu/api/texts/index'
import { type Kysely, sql } from 'kysely'
import type { Context, Services } from '../../model/context.ts'
import type { Tables } from '../../platform/database/tables/tables.ts'
import { sqlLimits } from './allowed.ts'

type Who = Pick<Context, 'database' | 'subject'>

function hashSource(source: string): string {
  return createHash('sha256').update(source.trim()).digest('hex')
}

/** The texts of SQL in a definition. */
export function sqlTexts({ fields }: Pick<EntityDefinition, 'fields'>): string[] {
  return fields.flatMap(({ dictType, dictValue, uiDefaultType, defaultValue }) => [
    ...(dictType === dictTypes.sql && dictValue !== null ? [dictValue] : []),
    ...(uiDefaultType === defaultTypes.sql && defaultValue !== null ? [defaultValue] : []),
  ])
}

/** Which of the statements are switched off in the caller's tenant. */
export async function switchedOff(
  { database: { kysely }, subject }: Who,
  sources: readonly string[],
): Promise<ReadonlySet<string>> {
  if (sources.length === 0) return new Set()
  const rows = await kysely
    .selectFrom('sys.custom_sql_cut')
    .select('digest')
    .where('tenant_id', '=', subject.tenant)
    .where('digest', 'in', sources.map(hashSource))
    .where('cuts', '>=', sqlLimits.cuts)
    .execute()
  const off = new Set(rows.map(({ digest }) => digest))
  return new Set(sources.filter((source) => off.has(hashSource(source))))
}

/** Counts a cut run, and tells the designers when it was the last one allowed. */
export async function countCut(
  context: Services & Pick<Context, 'subject'>,
  source: string,
): Promise<void> {
  const { database, subject, now } = context
  const { cuts } = await database.kysely
    .insertInto('sys.custom_sql_cut')
    .values({ tenant_id: subject.tenant, digest: hashSource(source), cuts: 1, last_cut: now() })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'digest'])
        .doUpdateSet({ cuts: sql<number>`custom_sql_cut.cuts + 1`, last_cut: now() }),
    )
    .returning('cuts')
    .executeTakeFirstOrThrow()
  if (cuts === sqlLimits.cuts) await tellDesigners(context, source)
}

async function tellDesigners(
  { database: { kysely }, registry, subject, newId, now }: Services & Pick<Context, 'subject'>,
  source: string,
): Promise<void> {
  const tags = (await registry.all(subject.tenant))
    .filter(({ definition }) => sqlTexts(definition).some((text) => text.trim() === source.trim()))
    .map(({ tag }) => tag)
  if (tags.length === 0) return
  const designers = await kysely
    .selectFrom('sys.entity')
    .select(['create_user', 'update_user'])
    .where('tenant_id', '=', subject.tenant)
    .where('tag', 'in', tags)
    .execute()
  const receivers = new Set(
    designers.flatMap(({ create_user, update_user }) => update_user ?? create_user ?? []),
  )
  const params = { tags: tags.join(', '), seconds: sqlLimits.milliseconds / 1000 }
  for (const receiver of receivers)
    await kysely
      .insertInto('sys.message')
      .values({
        id: newId(),
        tenant_id: subject.tenant,
        receiver_id: receiver,
        title: messageText('zh-CN', { key: 'sql.offTitle' }),
        content: locales
          .map((locale) => messageText(locale, { key: 'sql.offMessage', params }))
          .join('\n'),
        status: '0',
        create_time: now(),
      })
      .execute()
}

/** Switches the statements of a definition on again. */
export async function switchOn(
  db: Kysely<Tables>,
  tenant: string,
  definition: Pick<EntityDefinition, 'fields'>,
): Promise<void> {
  const digests = sqlTexts(definition).map(hashSource)
  if (digests.length === 0) return
  await db
    .deleteFrom('sys.custom_sql_cut')
    .where('tenant_id', '=', tenant)
    .where('digest', 'in', digests)
    .execute()
}
