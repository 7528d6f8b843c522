import { contract, type Endpoint } from '@jiaowu/api'
import { nameOf } from './rows.ts'
import { refuses, same } from './server-driver.ts'
import { type Fixtures, parentTag } from './server-part.ts'

const fill = (path: string): string => path.replaceAll(/\{(\w+)\}/g, (_hole, name: string) => (name === 'tag' || name === 'bizType' ? parentTag : name === 'name' ? 'nothing' : '1'))
const bodyOf = ({ bodyKind, body }: Endpoint): { readonly body?: BodyInit; readonly headers?: Record<string, string> } => (body === undefined ? {} : bodyKind === 'json' ? { body: '{}', headers: { 'content-type': 'application/json' } } : { body: bodyKind === 'form' ? new URLSearchParams() : new FormData() })

/** Every call of the contract that needs a session, asked without one and with a made-up one; and every call that needs a right, by somebody who has none: a line for each that is answered all the same. */
export const sweepRefusals = async ({ world }: Fixtures): Promise<string[]> => {
  const { access: token } = (await world.helper('viewer')).tokens
  const lines: string[] = []
  const ask = async (name: string, endpoint: Endpoint, who: string, authorization: string | null, isRight: (status: number) => boolean) => {
    const { body, headers } = bodyOf(endpoint)
    const answer = await world.wire.fetch(`${world.settings.url}/api${fill(endpoint.path)}`, { method: endpoint.method, headers: { ...headers, ...(authorization === null ? {} : { authorization }) }, ...(body === undefined ? {} : { body }) })
    await answer.arrayBuffer()
    if (!isRight(answer.status)) lines.push(`${name}: ${answer.status} for ${who}`)
  }
  for (const [group, endpoints] of Object.entries(contract)) for (const [call, endpoint] of Object.entries(endpoints) as [string, Endpoint][]) {
    const name = `${group}.${call}`
    if (endpoint.access === 'public') continue
    await ask(name, endpoint, 'somebody without a session', null, (status) => status === 401)
    await ask(name, endpoint, 'a made-up token', `bearer ${'0'.repeat(43)}`, (status) => status === 401)
    // Whether the right or the body is looked at first is the server's matter; an answer, or a fault of its own, is neither.
    if (endpoint.access.includes(':') && !endpoint.access.endsWith(':view')) await ask(name, endpoint, 'somebody who may only look', `bearer ${token}`, (status) => status === 403 || status === 404 || status === 422)
  }
  return [...lines, ...world.wire.takeFaults()]
}

/** Calls that no path needs, once each, on rows of this run: what they answer must fit together. */
export const tour = async ({ world, listed }: Fixtures): Promise<string[]> => {
  const rows = await listed(), { api } = await world.helper('admin')
  await rows.ensure()
  const { tag, config } = rows
  const [, alias = ''] = rows.aliases, bizId = rows.idOf(alias), owner = { bizType: tag, bizId }
  const lines: string[] = []
  const [a, b] = [await api.session.generateId({}), await api.session.generateId({})]
  if (!/^\d{1,19}$/.test(a) || a === b) lines.push(`generateId: ${a}, then ${b}`)
  // Attachments: the right to a file is the right to its row (contract §7).
  const bytes = new TextEncoder().encode('conformance')
  const file = await api.attachment.upload({ body: { file: new File([bytes], 'a.txt', { type: 'text/plain' }), ...owner } })
  lines.push(...same('attachments of the row', [file.id], (await api.attachment.list({ query: owner })).map(({ id }) => id)))
  for (const reply of [await api.attachment.download({ query: { ids: file.id } }), await api.attachment.downloadOfRow({ query: owner })]) await new Response(reply.stream).arrayBuffer()
  const again = await api.attachment.download({ query: { ids: file.id } })
  lines.push(...same('bytes of the attachment', 'conformance', await new Response(again.stream).text()), ...same('name of the attachment', 'a.txt', again.name))
  if ((await api.attachment.ticket({ body: owner })).ticket === '') lines.push('attachment.ticket: empty')
  lines.push(...same('attachments removed', 1, (await api.attachment.remove({ query: { ids: file.id } })).deleted), ...await refuses('a removed attachment', api.attachment.download({ query: { ids: file.id } }), 404))
  // What became of a row, and the way back for deleted ones.
  lines.push(...same('row of the history', bizId, (await api.history.of({ params: { tag, id: bizId } })).row.id))
  if (config.recycles === true) {
    await rows.remove([alias])
    if (!(await api.history.recycled({ params: { tag }, body: { pageSize: 50 } })).records.some(({ id }) => id === bizId)) lines.push('history.recycled: the deleted row is not in it')
    lines.push(...same('rows restored', 1, (await api.history.restore({ params: { tag, ids: bizId } })).restored), ...same('the restored row', rows.called(alias), (await api.entityData.get({ params: { tag, id: bizId } }))[nameOf(config)]))
    await api.entityData.remove({ params: { tag, ids: bizId } })
    await rows.ensure()
  }
  lines.push(...same('a code nobody issued', 'unknown', (await world.stranger.verify.check({ params: { code: 'AAAAAAAAAAAAAAAAAAAA' }, query: {} })).status))
  await world.stranger.student.school({ query: {} })
  await Promise.all([api.design.page({ body: { pageSize: 5 } }), api.design.revisions({ params: { tag } }), api.dictionary.codes({ query: { codes: 'gender' } }), api.dictionary.enums({ query: { codes: 'uiType' } }), api.dictionaryItem.page({ body: { pageSize: 5 } })])
  const [role] = (await api.entityData.page({ params: { tag: 'SYS_ROLE' }, body: { pageSize: 1 } })).records
  if (role !== undefined) lines.push(...same('role', role.id, (await api.role.permissions({ params: { id: role.id } })).id))
  const scope = await api.role.checkScope({ body: { tag, expression: 'row.id ==' } })
  if (scope.fault === null) lines.push('role.checkScope: half an expression has no fault')
  return [...lines, ...world.wire.takeFaults()]
}
