import type { TenantInfo } from '@jiaowu/api/contract/administration/tenant'
import { type ResourceContext, resourceMachine } from '@jiaowu/machines/resource/machine'
import { bare, modelSpec } from '../spec.ts'
import type { MachineModel } from '../machine-model.ts'
import { resourceRules } from './rules.ts'
import { answerFailure } from '../problems.ts'

export interface ResourceSeen {
  readonly at: string
  readonly query: unknown
  readonly data: unknown
  readonly problem: string | null
  readonly action: string
  readonly queue: string
  readonly results: string
  readonly offers: string
}

/** The samples are those of the page that the web walks: the tenants of an installation. */
const tenants: readonly TenantInfo[] = [
  tenant('10001', '甲校', true),
  tenant('10002', '乙校', false),
]
/** Disabling asks first, enabling does not. */
const disabling = {
  name: 'enable',
  input: { id: '10001', name: '甲校', enabled: false },
} as const
const enabling = {
  name: 'enable',
  input: { id: '10002', name: '乙校', enabled: true },
} as const

export const refusal = answerFailure(409, { message: 'no' })

const resourceModel = modelSpec({
  machine: resourceMachine,
  input: {
    reading: () => ({ query: 'tenants' }),
    waiting: () => ({ query: null }),
  },
  events: {
    'resource.load': { other: { query: 'other' }, none: { query: null } },
    'resource.reload': bare,
    'action.start': {
      disable: { action: disabling, asks: true },
      enable: { action: enabling, asks: false },
    },
    'action.confirm': bare,
    'action.cancel': bare,
    'action.dismiss': { enable: { name: 'enable' } },
  },
  outcomes: {
    load: { tenants: { ok: true, output: tenants }, down: answerFailure(409, { message: 'down' }) },
    // The page's toast says which of the two it was.
    act: ({ input }) => ({
      done: { ok: true, output: (input as { readonly enabled: boolean }).enabled },
      refused: refusal,
    }),
  },
  unhandled: 'all',
  // The output of an action decides nothing; whether it failed is shown.
  key: (s) =>
    JSON.stringify([
      s.value,
      {
        ...s.context,
        problem: formatProblemMessage(s.context.problem),
        results: formatEnds(s.context),
      },
    ]),
  project: (s): ResourceSeen => {
    const { query, data, problem, action, queue } = s.context
    return {
      at: JSON.stringify(s.value) + [...s.tags].sort().join(),
      query,
      data,
      problem: formatProblemMessage(problem),
      action: JSON.stringify(action),
      queue: JSON.stringify(queue),
      results: formatEnds(s.context),
      offers: (['resource.reload', 'action.confirm', 'action.cancel'] as const)
        .filter((type) => s.can({ type }))
        .join(),
    }
  },
})

export const resourceModels: MachineModel<ResourceSeen> = {
  parts: { resource: resourceModel },
  rules: resourceRules,
  survivors: {
    'resource.action starts in next':
      'the queue is empty at the start, so `next` leads to idle at once',
    'resource.action.next always[0] and [1] swapped':
      'an empty queue has no action that asks: at most one of the two guards holds',
  },
}

function tenant(id: string, name: string, enabled: boolean): TenantInfo {
  return {
    id,
    name,
    enabled,
    own: false,
    remarks: null,
    staff: 3,
    createTime: '2026-01-02 03:04:05',
  }
}

function formatEnds({ results }: ResourceContext): string {
  return Object.entries(results)
    .map(([name, { ok }]) => `${name} ${ok}`)
    .join()
}

function formatProblemMessage(problem: ResourceContext['problem']): string | null {
  return problem === null ? null : JSON.stringify(problem.message)
}
