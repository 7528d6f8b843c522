// The tools of agents: what a person may read, and proposals of what they may write. Each calls the API as that
// person, so that rights, masks and limits are those of the API. Names and descriptions are constant: no text of a
// school reaches them (docs/agents.md).
import type { ProposedAct } from '../contract/agent.ts'
import type { contract } from '../contract/contract.ts'
import type { Client } from '../endpoint.ts'
import { mostProposedRows } from '../contract/agent.ts'

type Api = Client<typeof contract>
type Values = Readonly<Record<string, unknown>>
type PageBody = NonNullable<Parameters<Api['entityData']['page']>[0]['body']>

/** A tool as MCP describes it. The API checks what the schema lets pass. */
export interface AgentTool {
  readonly name: string
  readonly description: string
  /** The right on some entity without which the tool is not offered. */
  readonly needs: 'view' | 'add' | 'update' | 'delete' | 'decide'
  readonly isProposal: boolean
  readonly properties: Readonly<Record<string, object>>
  readonly required: readonly string[]
  readonly call: (api: Api, args: Values) => Promise<unknown>
}

/** Rows of one answer. */
const mostRows = 100

const string = (description: string, maxLength = 500) =>
  ({ type: 'string', minLength: 1, maxLength, description }) as const
const tag = string('Tag of an entity, from list_entities', 64)
const id = string('Id of a record')
const ids = {
  type: 'array',
  minItems: 1,
  maxItems: mostProposedRows,
  items: string('Id of a record'),
  description: 'Ids of records',
}
const anyObject = (description: string) => ({ type: 'object', description })
const page = { type: 'integer', minimum: 1, maximum: 100000, description: 'Page, from 1' }

const filters = {
  queries: anyObject('Values by attribute name, as the search form of the list sends them'),
  where: anyObject(
    'Conditions: {"and":[{"column","op","value"}]} or {"or":[...]}, nested at most 3 deep, 30 leaves. Operators: ' +
      'equal notEqual like gt ge lt le between in isEmpty notEmpty',
  ),
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The entries of the arguments with these names, where they are given. */
function pickArguments(args: Values, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(args, name) ? [[name, args[name]]] : [])),
  )
}

const sendProposal = (
  api: Api,
  kind: ProposedAct['kind'],
  args: Values,
  names: readonly string[],
) =>
  api.proposals.propose({
    body: { act: { kind, ...pickArguments(args, ['tag', ...names]) } as unknown as ProposedAct },
  })

const proposed =
  ' Nothing is written: it answers a preview, which the person confirms in the console or on the terminal.'

export const agentTools: readonly AgentTool[] = [
  {
    name: 'list_entities',
    description: 'Entities that this person may view: tag, name, and what they may do',
    needs: 'view',
    isProposal: false,
    properties: {},
    required: [],
    call: (api) => api.agent.entities({}),
  },
  {
    name: 'describe_entity',
    description: 'Fields of an entity as this person sees them, buttons, and rights',
    needs: 'view',
    isProposal: false,
    properties: { tag },
    required: ['tag'],
    call: async (api, args) => {
      const config = await api.entityData.config({ params: { tag: text(args['tag']) } })
      return {
        tag: config.tag,
        name: config.name,
        permissions: config.permissions,
        flow: config.flow ?? false,
        fields: config.fields.map((field) => ({
          attrName: field.attrName,
          label: field.uiLabel,
          kind: field.uiType,
          sortable: field.sortable,
          isQuery: field.isQuery,
          isAdd: field.isAdd,
          isEdit: field.isEdit,
          personal: field.pii ?? null,
          choices: field.dictData?.slice(0, mostRows) ?? null,
        })),
        buttons: config.buttons.map(({ code, name }) => ({ code, name })),
      }
    },
  },
  {
    name: 'query_records',
    description: `Records of an entity by filters and sorts, at most ${mostRows} a page, with groups and figures`,
    needs: 'view',
    isProposal: false,
    properties: {
      tag,
      ...filters,
      sorts: {
        type: 'array',
        maxItems: 5,
        items: anyObject('{"column","asc"}'),
        description: 'Order of the records',
      },
      group: anyObject('{"column","by"?: day month year,"table"?: figures}: counts by value'),
      footer: {
        type: 'array',
        maxItems: 20,
        items: anyObject('{"column","fn": sum avg min max count empty distinct}'),
        description: 'Figures over all matching records',
      },
      page,
      size: { type: 'integer', minimum: 1, maximum: mostRows, description: 'Records a page' },
    },
    required: ['tag'],
    call: (api, args) =>
      api.entityData.page({
        params: { tag: text(args['tag']) },
        body: {
          ...pickArguments(args, ['queries', 'where', 'sorts', 'group', 'footer']),
          pageNum: Number(args['page'] ?? 1),
          pageSize: Number(args['size'] ?? 20),
        } as PageBody,
      }),
  },
  {
    name: 'read_record',
    description: 'One record, with the values masked that the person sees masked',
    needs: 'view',
    isProposal: false,
    properties: { tag, id },
    required: ['tag', 'id'],
    call: (api, args) =>
      api.entityData.get({ params: { tag: text(args['tag']), id: text(args['id']) } }),
  },
  {
    name: 'related_records',
    description: 'Records of an entity whose field `column` refers to the record `id`',
    needs: 'view',
    isProposal: false,
    properties: { tag, column: string('Attribute name of the relation', 64), id, page },
    required: ['tag', 'column', 'id'],
    call: (api, args) =>
      api.entityData.page({
        params: { tag: text(args['tag']) },
        body: {
          where: { and: [{ column: text(args['column']), op: 'equal', value: text(args['id']) }] },
          pageNum: Number(args['page'] ?? 1),
          pageSize: 20,
        },
      }),
  },
  {
    name: 'choices',
    description: 'Choices of a field, by a part of their names',
    needs: 'view',
    isProposal: false,
    properties: { tag, fieldId: string('Id of a field', 64), search: string('Part of a name') },
    required: ['tag', 'fieldId'],
    call: (api, args) =>
      api.entityData.lookup({
        params: { tag: text(args['tag']) },
        body: { fieldId: text(args['fieldId']), searchKey: text(args['search']), pageSize: 50 },
      }),
  },
  {
    name: 'record_history',
    description: 'Changes of a record',
    needs: 'view',
    isProposal: false,
    properties: { tag, id },
    required: ['tag', 'id'],
    call: (api, args) =>
      api.history.of({ params: { tag: text(args['tag']), id: text(args['id']) } }),
  },
  {
    name: 'list_todos',
    description: 'Cases of an entity that wait for this person',
    needs: 'view',
    isProposal: false,
    properties: { tag, page },
    required: ['tag'],
    call: (api, args) =>
      api.agent.todo({
        params: { tag: text(args['tag']) },
        query: { pageNum: Number(args['page'] ?? 1) },
      }),
  },
  {
    name: 'read_case',
    description: 'Where a record is in its flow, and what this person can decide on it',
    needs: 'view',
    isProposal: false,
    properties: { tag, id },
    required: ['tag', 'id'],
    call: (api, args) =>
      api.agent.case({ params: { tag: text(args['tag']), id: text(args['id']) } }),
  },
  {
    name: 'list_proposals',
    description: 'Proposals that were made, and what became of them',
    needs: 'view',
    isProposal: false,
    properties: {},
    required: [],
    call: (api) => api.proposals.list({}),
  },
  {
    name: 'propose_create',
    description: `Proposes to add a record.${proposed}`,
    needs: 'add',
    isProposal: true,
    properties: { tag, values: anyObject('Values by attribute name') },
    required: ['tag', 'values'],
    call: (api, args) => sendProposal(api, 'create', args, ['values']),
  },
  {
    name: 'propose_update',
    description: `Proposes to give records, all or none, these values.${proposed}`,
    needs: 'update',
    isProposal: true,
    properties: { tag, ids, values: anyObject('Values by attribute name') },
    required: ['tag', 'ids', 'values'],
    call: (api, args) => sendProposal(api, 'update', args, ['ids', 'values']),
  },
  {
    name: 'propose_delete',
    description: `Proposes to delete records, all or none.${proposed}`,
    needs: 'delete',
    isProposal: true,
    properties: { tag, ids },
    required: ['tag', 'ids'],
    call: (api, args) => sendProposal(api, 'delete', args, ['ids']),
  },
  {
    name: 'propose_decision',
    description: `Proposes a decision on a case.${proposed}`,
    needs: 'decide',
    isProposal: true,
    properties: {
      tag,
      id,
      event: string('Event, from read_case', 200),
      note: string('A note', 2000),
      fields: anyObject('Values of the fields that the event asks for'),
    },
    required: ['tag', 'id', 'event'],
    call: (api, args) => sendProposal(api, 'flow', args, ['id', 'event', 'note', 'fields']),
  },
]
