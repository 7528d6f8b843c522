// Proposals of agents: kept until their person confirms or refuses them (docs/agents.md).
import type { Proposal, ProposalPreview, ProposedAct } from '@jiaowu/api/contract/agent'
import { parseJson } from '@jiaowu/api/exact-json'
import { schoolTime } from '@jiaowu/api/formats'
import { entityPermission, may } from '@jiaowu/api/entity/permission'
import { staleCode } from '@jiaowu/api/problem'
import { messageText } from '@jiaowu/api/texts/index'
import type { Selectable } from 'kysely'
import { listTokenCodes, mayProposeDecisions } from '../../identity/api-tokens.ts'
import type { Context } from '../../model/context.ts'
import type { AuditEvent, InTransaction } from '../../platform/context.ts'
import type { Tables } from '../../platform/database/tables/tables.ts'
import { duringTransactions, transact } from '../../platform/database/transact.ts'
import { isId } from '../../platform/id.ts'
import { forbidden, Invalid, notFound, Refusal } from '../../platform/refusal.ts'
import { carryOut, prepareAct, type Prepared, previewAct } from './acts.ts'

/** Proposals of one person that wait. */
const mostOpen = 50
const openFor = 24 * 3_600_000
/** The agent of a call with the person's own session, as `jiaowu mcp` makes it. */
const ownProgram = 'jiaowu mcp'

type Stored = Selectable<Tables['sys.agent_proposal']>
type State = Proposal['state']

/** @throws Refusal as the act itself; 409 with too many open ones */
export async function proposeAct(context: Context, act: ProposedAct): Promise<ProposalPreview> {
  const { subject, now, newId, database } = context
  const prepared = await prepareAct(context, act)
  const rows = await previewAct(context, prepared)
  const at = now()
  const stored: Stored = {
    tenant_id: subject.tenant,
    id: newId(),
    user_id: subject.userId,
    program_id: subject.token?.id ?? null,
    agent: subject.token?.name ?? ownProgram,
    kind: act.kind,
    tag: act.tag,
    act: JSON.stringify(act),
    count: prepared.count,
    state: 'open',
    create_time: at.toISOString(),
    expires_at: new Date(at.getTime() + openFor).toISOString(),
    ended_at: null,
    confirmed_by: null,
  }
  await transact(database.kysely, async (trx) => {
    const { n } = await trx
      .selectFrom('sys.agent_proposal')
      .select((e) => e.fn.countAll<string>().as('n'))
      .where('tenant_id', '=', subject.tenant)
      .where('user_id', '=', subject.userId)
      .where('state', '=', 'open')
      .where('expires_at', '>', at.toISOString())
      .executeTakeFirstOrThrow()
    if (Number(n) >= mostOpen)
      throw new Refusal(409, { key: 'proposal.tooMany', params: { n: mostOpen } })
    await trx.insertInto('sys.agent_proposal').values(stored).execute()
    context.audit(toEvent('proposal.propose', stored), trx)
  })
  return { ...(await describe(context, stored)), digest: prepared.digest, rows, fault: null }
}

function toEvent(action: string, { id, agent, kind, tag, count }: Stored): AuditEvent {
  const detail = { byAgent: agent, kind, tag, count }
  return { action, object: 'proposal', objectId: id, result: 'ok', detail }
}

async function describe(context: Context, stored: Stored): Promise<Proposal> {
  const entity = await context.registry.find(context.subject.tenant, stored.tag)
  return {
    id: stored.id,
    agent: stored.agent,
    kind: stored.kind as Proposal['kind'],
    tag: stored.tag,
    entity: entity?.definition.name ?? stored.tag,
    count: stored.count,
    state: resolveState(context, stored),
    createTime: schoolTime(stored.create_time),
    expiresAt: schoolTime(stored.expires_at),
  }
}

function resolveState({ now }: Context, { state, expires_at }: Stored): State {
  return state === 'open' && new Date(expires_at) <= now() ? 'expired' : (state as State)
}

/** One's own; a program those of its token. */
function selectOwn({ database, subject }: Context) {
  const own = database.kysely
    .selectFrom('sys.agent_proposal')
    .selectAll()
    .where('tenant_id', '=', subject.tenant)
    .where('user_id', '=', subject.userId)
  return subject.token === undefined ? own : own.where('program_id', '=', subject.token.id)
}

export async function listProposals(context: Context): Promise<Proposal[]> {
  const rows = await selectOwn(context).orderBy('id', 'desc').limit(200).execute()
  return await Promise.all(rows.map((row) => describe(context, row)))
}

/** @throws Refusal 404 */
async function findStored(context: Context, id: string): Promise<Stored> {
  const found = isId(id) ? await selectOwn(context).where('id', '=', id).executeTakeFirst() : null
  if (found == null) throw notFound()
  return found
}

const readAct = ({ act }: Stored): ProposedAct => parseJson(act) as ProposedAct

/** @throws Refusal 404 */
export async function readProposal(context: Context, id: string): Promise<ProposalPreview> {
  return await showNow(context, await findStored(context, id))
}

/** The preview as rows and rights are now. */
async function showNow(context: Context, stored: Stored): Promise<ProposalPreview> {
  const head = await describe(context, stored)
  const empty = { ...head, digest: '', rows: [], fault: null }
  if (head.state !== 'open') return empty
  try {
    const prepared = await prepareAct(context, readAct(stored))
    const rows = await previewAct(context, prepared)
    return { ...head, count: prepared.count, digest: prepared.digest, rows, fault: null }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { ...empty, fault: explainRefusal(context, error) }
  }
}

function explainRefusal({ locale }: Context, error: Refusal): string {
  if (!(error instanceof Invalid)) return messageText(locale, error.text)
  return error
    .issues(locale)
    .map(({ path, msg }) => `${path}: ${msg}`)
    .join(' ')
}

/** @throws Refusal 409 with the preview as it is now */
async function throwChanged(context: Context, stored: Stored): Promise<never> {
  const data = await showNow(context, stored)
  throw new Refusal(409, { key: 'proposal.changed' }, { code: staleCode, data })
}

/**
 * Carries the act out, with the rights that the person and the token have now. The proposal ends in the transaction
 * of the write, so that of two confirmations one writes.
 */
export async function confirmProposal(
  context: Context,
  id: string,
  shown: { readonly digest: string; readonly count: number },
): Promise<Proposal> {
  const { subject, traceId, newId } = context
  if (subject.token !== undefined) throw forbidden()
  const stored = await findStored(context, id)
  assertOpen(context, stored)
  await assertTokenStands(context, stored)
  const prepared = await prepareOrShow(context, stored)
  if (prepared.digest !== shown.digest || prepared.count !== shown.count)
    return await throwChanged(context, stored)
  const call = `${traceId}:${newId()}`
  const acting = byAgent(context, stored)
  try {
    await duringTransactions(
      (trx) => endProposal({ ...context, trx }, stored, 'confirmed', call),
      () => carryOut(acting, prepared),
    )
  } catch (error) {
    if (error instanceof Refusal && error.code === staleCode)
      return await throwChanged(context, stored)
    throw error
  }
  return await describe(context, await findStored(context, id))
}

async function prepareOrShow(context: Context, stored: Stored): Promise<Prepared> {
  try {
    return await prepareAct(context, readAct(stored))
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return await throwChanged(context, stored)
    throw error
  }
}

/** @throws Refusal 409 */
function assertOpen(context: Context, stored: Stored): void {
  const state = resolveState(context, stored)
  if (state !== 'open') throw new Refusal(409, { key: `proposal.is.${state}` })
}

/** A token that was revoked, is over, or has lost the right takes its proposals with it. @throws Refusal 403 */
async function assertTokenStands(
  context: Context,
  { program_id, tag, kind }: Stored,
): Promise<void> {
  if (program_id === null) return
  const token = await context.database.kysely
    .selectFrom('sys.api_token')
    .select(['entities', 'rights', 'expires_at', 'revoked_at'])
    .where('tenant_id', '=', context.subject.tenant)
    .where('id', '=', program_id)
    .executeTakeFirst()
  const stands =
    token !== undefined &&
    token.revoked_at === null &&
    new Date(token.expires_at) > context.now() &&
    permitsAct(token, { tag, kind })
  if (!stands) throw new Refusal(403, { key: 'proposal.tokenGone' })
}

function permitsAct(
  {
    entities,
    rights,
  }: { readonly entities: readonly string[]; readonly rights: readonly string[] },
  { tag, kind }: Pick<Stored, 'tag' | 'kind'>,
): boolean {
  if (kind === 'flow') return entities.includes(tag) && mayProposeDecisions(rights)
  const action = kind === 'create' ? 'add' : kind === 'delete' ? 'delete' : 'update'
  return may(listTokenCodes(entities, rights), entityPermission(tag, action))
}

/** Each line of the audit log and of the history of rows names the agent. */
function byAgent(context: Context, { agent, id }: Stored): Context {
  const mark = (event: AuditEvent): AuditEvent => ({
    ...event,
    detail: { ...event.detail, byAgent: agent, proposal: id },
  })
  return {
    ...context,
    subject: { ...context.subject, agent },
    audit: (event, trx) => context.audit(mark(event), trx),
    auditAlone: (event) => context.auditAlone(mark(event)),
  }
}

interface Ending extends Context {
  readonly trx: unknown
}

/** @throws Refusal 409 when another call was first */
async function endProposal(
  context: Ending,
  stored: Stored,
  state: 'confirmed' | 'refused',
  call: string,
): Promise<void> {
  const trx = context.trx as Context['database']['kysely']
  const { numUpdatedRows } = await trx
    .updateTable('sys.agent_proposal')
    .set({ state, ended_at: context.now(), confirmed_by: call })
    .where('tenant_id', '=', stored.tenant_id)
    .where('id', '=', stored.id)
    .where((e) => e.or([e('state', '=', 'open'), e('confirmed_by', '=', call)]))
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new Refusal(409, { key: 'proposal.decided' })
  context.audit(
    toEvent(state === 'confirmed' ? 'proposal.confirm' : 'proposal.refuse', stored),
    trx as InTransaction,
  )
}

/** @throws Refusal 403, 404, 409 */
export async function refuseProposal(context: Context, id: string): Promise<Proposal> {
  if (context.subject.token !== undefined) throw forbidden()
  const stored = await findStored(context, id)
  assertOpen(context, stored)
  await transact(context.database.kysely, (trx) =>
    endProposal({ ...context, trx }, stored, 'refused', context.traceId),
  )
  return await describe(context, await findStored(context, id))
}
