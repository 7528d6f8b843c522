// The calls of forms, choices and flows as a student makes them for own applications: the machines of the console, and
// what shows them, serve the student service too (docs/rules/contract.md#students-as-applicants).
import type { Client } from '@jiaowu/api/endpoint'
import type { contract } from '@jiaowu/api/contract/contract'
import type { FlowStateAnswer } from '@jiaowu/api/contract/entity/flow'
import type { Application } from '@jiaowu/api/contract/student/application'

type Api = Client<typeof contract>

/** @param self the name of the student, for own steps */
export function toApplicantApi(api: Api, self: string): Api {
  const { application, entityData, flow, paper } = api
  return {
    ...api,
    entityData: {
      ...entityData,
      config: async ({ params: { tag }, signal }) => {
        const kinds = await application.kinds({ ...withSignal(signal) })
        const found = kinds.find((kind) => kind.tag === tag)
        // The server says why an entity is no application.
        return (
          found?.config ?? (await entityData.config({ params: { tag }, ...withSignal(signal) }))
        )
      },
      get: async ({ params, signal }) =>
        (await application.get({ params, ...withSignal(signal) })).row,
      create: async (input) => (await application.create(input)).row,
      update: async (input) => (await application.update(input)).row,
      lookup: ({
        params,
        body: { fieldId, searchKey = null, cascades = null, pageNum = 1, pageSize = 10 },
        signal,
      }) =>
        application.choices({
          params,
          body: { fieldId, searchKey, cascades, pageNum, pageSize },
          ...withSignal(signal),
        }),
    },
    paper: {
      ...paper,
      print: ({ params, signal }) => application.print({ params, ...withSignal(signal) }),
    },
    flow: {
      ...flow,
      read: async ({ params, signal }) =>
        toFlowAnswer(await application.get({ params, ...withSignal(signal) }), self),
      send: async ({ params, body: { version, ...body }, headers }) =>
        toFlowAnswer(
          await application.send({
            params,
            body: { ...body, version: String(version) },
            ...(headers !== undefined && { headers }),
          }),
          self,
        ),
    },
  }
}

function withSignal(signal: AbortSignal | undefined): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal }
}

/**
 * The flow of an application as staff see flows; steps of offices carry the name of the state in which they were taken.
 *
 * @param self the name of the student, for own steps
 */
export function toFlowAnswer(
  { state, stateName, tone, isDone, since, can, edit, log, next, version }: Application,
  self: string,
): FlowStateAnswer {
  return {
    state,
    name: stateName,
    ...(tone !== undefined && { tone }),
    isDone,
    active: [{ path: state, name: stateName }],
    since,
    applicant: null,
    can,
    log: log.map(({ at, name, from, to, note, seconds, isOwn }) => ({
      at,
      by: { id: '', name: isOwn ? self : from },
      event: '',
      name,
      from,
      to,
      note,
      seconds,
      fields: [],
    })),
    open: next.map((who) => ({ who, event: '', since: since ?? '', path: state })),
    next: [],
    edit,
    tasks: [],
    copy: false,
    version,
  }
}
