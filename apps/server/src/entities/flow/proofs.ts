// Proves the flows of a school again when a role, a person or a flow has changed, and tells the designers what broke
// since the last proof, once (docs/rules/contract.md#flows).
import { dictTypes } from '@jiaowu/api/entity/enums'
import { adminRole } from '@jiaowu/api/limits'
import { type Locale, locales } from '@jiaowu/api/locale'
import { messageText, t } from '@jiaowu/api/texts/index'
import { compileFlow } from '@jiaowu/machines/flow/flow'
import { listRoles } from '@jiaowu/machines/flow/parts'
import type { FlowFault } from '@jiaowu/machines/flow/prove'
import { type Kysely, sql } from 'kysely'
import type { Context, Services } from '../../model/context.ts'
import { loadDictionaries } from '../../model/definition/dictionary.ts'
import { entityName, type LoadedEntity } from '../../model/definition/loaded.ts'
import { buildServerContext } from '../../model/server-context.ts'
import { type AnyDatabase, databaseOf } from '../../platform/database/any-database.ts'
import type { KnownFinding } from '../../platform/database/tables/tables-flows.ts'
import type { Tables } from '../../platform/database/tables/tables.ts'
import { transact } from '../../platform/database/transact.ts'
import type { JobHandler } from '../../platform/jobs/job-handler.ts'
import type { Lease } from '../../platform/jobs/lease.ts'
import { drain } from '../../platform/jobs/queue.ts'
import { wakeQueue } from '../../platform/jobs/queues.ts'
import { createTaskStore, type Task } from '../../platform/jobs/task-store.ts'
import { addNotice } from '../../platform/notices/notices.ts'
import { withTables } from './cases.ts'
import { buildFlowProver } from './facts.ts'

export interface FlowProof extends Task {
  readonly findings: readonly KnownFinding[]
}

/** A flow of the school with what is wrong with it now. */
export interface ProvenFlow {
  readonly entity: LoadedEntity
  readonly findings: readonly FlowFault[]
}

const { store, complete } = createTaskStore<FlowProof>({
  table: 'sys.flow_proof',
  purpose: 'looking for flows to prove',
  most: 1000,
})

export const proofHandler: JobHandler<FlowProof, Services> = {
  kind: 'proof',
  store,
  run: (services, { job, lease }) => proveAgain(services, job, lease),
  concurrency: 1,
  pollMs: 5_000,
  renewMs: 20_000,
  mostPerRound: 50,
}

/** Proves what is due. Returns how many schools. */
export function proveDue(services: Services): Promise<number> {
  return drain(services, proofHandler)
}

async function proveAgain(services: Services, proof: FlowProof, lease: Lease): Promise<void> {
  const context = buildServerContext(services, proof.tenant_id, {
    userId: '0',
    name: t('zh-CN', 'flow.notice.system'),
    permissions: new Set(),
  })
  const proven = await proveSchool(context)
  const known = new Set(proof.findings.map(formatKey))
  const broken = proven.flatMap(({ entity, findings }) =>
    findings
      .filter(({ id, at }) => !known.has(formatKey({ tag: entity.tag, id, at })))
      .map((finding) => ({ entity, finding })),
  )
  const found: KnownFinding[] = proven.flatMap(({ entity: { tag }, findings }) =>
    findings.map(({ id, at }) => ({ tag, id, at })),
  )
  await transact(databaseOf(services), async (trx) => {
    // First of all: what was changed meanwhile is proved by another run.
    await complete(trx, services.now(), lease)
    await withTables(trx)
      .updateTable('sys.flow_proof')
      .set({ findings: JSON.stringify(found) })
      .where('tenant_id', '=', proof.tenant_id)
      .where('id', '=', proof.id)
      .execute()
    if (broken.length === 0) return
    const receivers = await findDesigners(trx, proof.tenant_id)
    for (const each of broken) await sendFindingNotice(withTables(trx), context, receivers, each)
  })
  if (broken.length > 0) wakeQueue(services, 'notice')
}

function formatKey({ tag, id, at }: KnownFinding): string {
  return JSON.stringify([tag, id, at])
}

/** Proves the flows that name a role which the school has or had: it uses no other. */
export async function proveSchool(context: Context): Promise<readonly ProvenFlow[]> {
  const entities = await context.registry.all(context.subject.tenant)
  const roles = await listRolesEver(context)
  const proven: ProvenFlow[] = []
  for (const entity of entities) {
    const { definition } = entity
    const { flow } = definition.options
    if (flow === undefined || !listRoles(compileFlow(flow).parts).some((role) => roles.has(role)))
      continue
    const codes = definition.fields.flatMap(({ dictType, dictValue }) =>
      dictType === dictTypes.dictionary && dictValue !== null ? [dictValue] : [],
    )
    const dictionaries = await loadDictionaries(context, codes)
    const prove = await buildFlowProver(context, definition, {
      itemsOf: (code) => dictionaries.get(code)?.map(({ id }) => id),
      fieldsOf: (tag) => entities.find((each) => each.tag === tag)?.definition.fields,
      before: definition,
    })
    proven.push({ entity, findings: prove(definition) })
  }
  return proven
}

/** Codes of the school's roles, removed ones included. */
async function listRolesEver({
  database: { kysely },
  subject,
}: Context): Promise<ReadonlySet<string>> {
  const rows = await kysely
    .selectFrom('sys.role')
    .select('code')
    .where('tenant_id', '=', subject.tenant)
    .execute()
  return new Set(rows.map(({ code }) => code))
}

/** Accounts that may change definitions. */
async function findDesigners(db: AnyDatabase, tenant: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct u.id from sys.app_user u
    join sys.role r on r.tenant_id = u.tenant_id and r.id::text = any(u.role_ids) and r.deleted_at is null
      and r.status = '1'
    left join sys.role_permission p on p.tenant_id = r.tenant_id and p.role_id = r.id and p.code = 'entity:design'
    where u.tenant_id = ${tenant}::int8 and u.deleted_at is null and u.status = '1'
      and (r.code = ${adminRole} or p.code is not null)`.execute(db)
  return rows.map(({ id }) => id)
}

async function sendFindingNotice(
  trx: Kysely<Tables>,
  context: Context,
  receivers: readonly string[],
  { entity, finding }: { readonly entity: LoadedEntity; readonly finding: FlowFault },
): Promise<void> {
  const build = (locale: Locale) => ({
    entity: entityName(entity, locale),
    reason: messageText(locale, { key: finding.id, params: finding.params }),
  })
  const text = (part: 'title' | 'content') =>
    locales.map((locale) => t(locale, `flow.proof.${part}`, build(locale)))
  await addNotice(trx, context, {
    tenant: context.subject.tenant,
    kind: 'system',
    key: `proof:${context.newId()}`,
    receivers,
    title: text('title').join(' / '),
    content: text('content').join('\n'),
    isSms: false,
    row: null,
  })
}
