import { looksMasked, maskPii } from '@jiaowu/api/pii'
import { revealApiPorts } from '@jiaowu/machines/reveal/api-ports'
import type { RevealedValue, RevealPorts } from '@jiaowu/machines/reveal/ports'
import { must, expectSame } from '../../surfaces/server/checks.ts'
import { answers, refuses } from '../../surfaces/server/endings.ts'
import { firstRow } from '../../surfaces/server/rows/rows.ts'
import { type ServerParts, buildServerParts } from '../../surfaces/server/server-part.ts'
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
  const { row } = await firstRow(api, tag)
  if (field === undefined || row === undefined)
    throw new Error(`${tag} has no row with an ID number`)
  const mask = String((await api.entityData.get({ params: { tag, id: row.id } }))[field])
  return buildServerParts<RevealPorts>({
    model: revealModels,
    ports: revealApiPorts(subject.api),
    subject,
    start: ({ now }) => ({ tag, rowId: row.id, field, now }),
    calls: {
      reveal: {
        value: answers(sample, {
          check: ({ value, seconds }) => [
            must(looksMasked(mask), 'the detail gives the value without its mask'),
            must(!looksMasked(value), 'the value is masked'),
            expectSame('the mask of the value', mask, maskPii('idCard', value)),
            expectSame('seconds', sample.seconds, seconds),
          ],
          timeless: () => sample,
        }),
        forbidden: refuses({ codes: [403, 404], by: 'viewer' }),
      },
    },
    parts: { reveal: {} },
  })
}
