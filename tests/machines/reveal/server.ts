import { looksMasked } from '@jiaowu/api'
import { revealApiPorts, type RevealedValue } from '@jiaowu/machines'
import type { Outcome } from '@jiaowu/path-tests'
import type { Spec } from '../spec.ts'
import { no, ok, same, type Scenes, type Stage } from '../../surfaces/server/server-driver.ts'
import type { ServerParts } from '../../surfaces/server/server-part.ts'
import { revealModels } from './model.ts'

const tag = 'EDU_STUDENT'
const sample: RevealedValue = { value: '11010519491231002X', seconds: 60 }

/**
 * The ID number of a student: shown to those with the right, refused to others. The limit of an hour
 * is not arranged, since it would need thirty calls.
 */
export const serverReveal: ServerParts = async ({ run, admin }) => {
  const subject = await admin()
  const { api } = await run.helper('admin')
  const { fields } = await api.entityData.config({ params: { tag } })
  const field = fields.find(({ pii }) => pii === 'idCard')?.attrName
  const { records } = await api.entityData.page({ params: { tag }, body: { pageSize: 1 } })
  const [row] = records
  if (field === undefined || row === undefined)
    throw new Error(`${tag} has no row with an ID number`)
  const mask = String((await api.entityData.get({ params: { tag, id: row.id } }))[field])
  const scenes: Scenes = {
    reveal: {
      value: subject.usual(() => ({
        check: (answer: Outcome) => {
          const { value, seconds } = (answer as { output: RevealedValue }).output
          return [
            ...(looksMasked(mask) ? [] : ['the detail gives the value without its mask']),
            ...(looksMasked(value) ? ['the value is masked'] : []),
            ...same('the ends of the value', mask.slice(0, 6), value.slice(0, 6)),
            ...same('seconds', sample.seconds, seconds),
          ]
        },
        timeless: () => sample,
      })),
      forbidden: subject.forbidden(undefined, [403, 404]),
    },
  }
  const spec: Spec<unknown> = {
    ...(revealModels.parts.reveal as Spec<unknown>),
    unhandled: [],
    input: ({ now }) => ({ tag, rowId: row.id, field, now }),
    outcomes: { reveal: { value: ok(sample), forbidden: no('refused', 403) } },
  }
  const ports = revealApiPorts(subject.api)
  return {
    reveal: {
      spec,
      scenes,
      stage: (): Promise<Stage> => Promise.resolve({ ports: ports as never, scenes }),
    },
  }
}
