import { findKind } from '@jiaowu/api/fields/kinds'
import type { Values } from '@jiaowu/api/entity/values'
import type { RegisterPorts } from '@jiaowu/machines/register/ports'
import { registerPorts } from '../../../apps/web/src/ports/student-ports.ts'
import { answers, refuses } from '../../surfaces/server/endings.ts'
import { childTag, choosesFrom } from '../../surfaces/server/fixtures.ts'
import { createRow, firstRow } from '../../surfaces/server/rows/rows.ts'
import type { RunContext } from '../../surfaces/server/run-context.ts'
import { type ServerParts, buildServerParts } from '../../surfaces/server/server-part.ts'
import { formKey } from '../../surfaces/server/student/student-sign-in.ts'
import { codeFor, newMobile, readsCodes } from '../../surfaces/server/student/students.ts'
import { registerModels } from './model.ts'

const studentTag = 'EDU_STUDENT'
const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]

/** A student binds a mobile number, or is not found; then signs in by a code. */
export const serverRegister: ServerParts = async ({ run }) => {
  if (!readsCodes(run)) return {}
  const newStudent = await createStudents(run)
  const filledIn = async (change: { readonly idNumber?: string } = {}) => {
    const mobile = newMobile()
    const code = await codeFor(run, mobile, '2')
    return { input: { ...(await newStudent()), ...change, mobile, code, ticket: '' } }
  }
  const change = (field: string, value: string) => ({ field, value })
  return buildServerParts<RegisterPorts>({
    model: registerModels,
    ports: registerPorts(run.anonymous),
    calls: {
      register: {
        done: answers(undefined, () => filledIn()),
        // A right code with an unknown ID number: every failure has the same answer
        // (docs/rules/contract.md#student-service).
        refused: refuses(400, () => filledIn({ idNumber: idNumber(999) })),
      },
    },
    samples: {
      'field.change': {
        idNumber: change('idNumber', '11010119900307001X'),
        major: change('major', '数学'),
        mobile: change('mobile', '13800000001'),
        code: change('code', '123456'),
      },
    },
    key: formKey,
    parts: {
      register: { events: 'register.open, register.close, field.change, form.submit' },
    },
  })
}

/** Students of this run without an account, deleted at the end. */
async function createStudents(run: RunContext) {
  const { api } = await run.helper('admin')
  const config = await api.entityData.config({ params: { tag: studentTag } })
  const idField = config.fields.find(({ valids }) => valids.type?.includes('Idcard') === true),
    majorField = config.fields.find(choosesFrom(childTag))
  if (idField === undefined || majorField === undefined)
    throw new Error(`${studentTag} has no ID number or no major`)
  // Choices (faculty, major, class) are copied from an existing student: records that this run
  // added do not fit together.
  const { row: known } = await firstRow(api, studentTag)
  const chosen: Values = Object.fromEntries(
    config.fields.flatMap(({ attrName, uiType, valids }) => {
      const value = known?.[attrName]
      return valids.required === true && findKind(uiType).family === 'choice' && value !== undefined
        ? [[attrName, value]]
        : []
    }),
  )
  let serial = Date.now() % 1000
  return async (): Promise<{ readonly idNumber: string; readonly major: string }> => {
    serial += 1
    const number = idNumber(serial)
    const row = await createRow(api, config, `${run.prefix}s${serial % 1000}`, {
      ...chosen,
      [idField.attrName]: number,
    })
    run.onClose(`the student ${number}`, () =>
      api.entityData.remove({ params: { tag: studentTag, ids: row.id } }),
    )
    const major = row[majorField.attrName]
    const [first] = Array.isArray(major)
      ? (major as readonly { name?: unknown }[])
      : [{ name: major }]
    return { idNumber: number, major: String(first?.name ?? '') }
  }
}

/** An ID number with its check digit (GB 11643). */
function idNumber(serial: number): string {
  const body = `11010119010101${String(serial % 1000).padStart(3, '0')}`
  const sum = weights.reduce((all, weight, index) => all + weight * Number(body[index]), 0)
  return `${body}${'10X98765432'[sum % 11] ?? ''}`
}
