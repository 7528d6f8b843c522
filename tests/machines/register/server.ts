import { kindOf, type Values } from '@jiaowu/api'
import type { Registration } from '@jiaowu/machines'
import { registerPorts } from '../../../apps/web/src/ports/student-ports.ts'
import type { Spec } from '../spec.ts'
import { registerModels } from './model.ts'
import { newValues } from '../../surfaces/server/rows/rows.ts'
import { no, ok, refusedAs, type Scenes, type Stage } from '../../surfaces/server/server-driver.ts'
import { childTag, type ServerParts } from '../../surfaces/server/server-part.ts'
import { codeFor, newMobile, readsCodes } from '../../surfaces/server/student/students.ts'
import type { RunContext } from '../../surfaces/server/run-context.ts'

const studentTag = 'EDU_STUDENT'
const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]

/** A student binds a mobile number, or is not found; then signs in by a code. */
export const serverRegister: ServerParts = async ({ run }) => {
  if (!readsCodes(run)) return {}
  const newStudent = await createStudents(run)
  const scenes: Scenes = {
    register: {
      done: async () => {
        const mobile = newMobile(),
          input: Registration = {
            ...(await newStudent()),
            mobile,
            code: await codeFor(run, mobile, '2'),
          }
        return { input, check: () => [] }
      },
      // A right code with an unknown ID number: every failure has the same answer
      // (docs/rules/contract.md#student-service).
      refused: async () => {
        const mobile = newMobile(),
          input: Registration = {
            ...(await newStudent()),
            idNumber: idNumber(999),
            mobile,
            code: await codeFor(run, mobile, '2'),
          }
        return { input, check: (answer) => refusedAs(answer, 'refused') }
      },
    },
  }
  const base = Object.values(registerModels.parts)[0] as Spec<unknown>
  const change = (field: string, value: string) => ({ field, value })
  const spec: Spec<unknown> = {
    ...base,
    unhandled: [],
    eventsIn: () => ({}),
    events: {
      'register.open': { bare: {} },
      'register.close': { bare: {} },
      'field.change': {
        idNumber: change('idNumber', '11010119900307001X'),
        major: change('major', '数学'),
        mobile: change('mobile', '13800000001'),
        code: change('code', '123456'),
      },
      'form.submit': { bare: {} },
    },
    outcomes: { register: { done: ok(undefined), refused: no('refused', 400) } },
    key: (s) =>
      JSON.stringify([
        s.value,
        s.context.values,
        Object.keys(s.context.faults).sort(),
        s.context.problem?.kind ?? null,
      ]),
  }
  return {
    register: {
      spec,
      scenes,
      stage: (): Promise<Stage> =>
        Promise.resolve({ ports: registerPorts(run.anonymous) as never, scenes }),
    },
  }
}

/** Students of this run without an account, deleted at the end. */
async function createStudents(run: RunContext) {
  const { api } = await run.helper('admin')
  const config = await api.entityData.config({ params: { tag: studentTag } })
  const idField = config.fields.find(({ valids }) => valids.type?.includes('Idcard') === true),
    majorField = config.fields.find(
      ({ dictValue }) => dictValue?.startsWith(`${childTag}.`) === true,
    )
  if (idField === undefined || majorField === undefined)
    throw new Error(`${studentTag} has no ID number or no major`)
  // Choices (faculty, major, class) are copied from an existing student: records that this run
  // added do not fit together.
  const [known] = (
    await api.entityData.page({ params: { tag: studentTag }, body: { pageSize: 1 } })
  ).records
  const chosen: Values = Object.fromEntries(
    config.fields.flatMap(({ attrName, uiType, valids }) => {
      const value = known?.[attrName]
      return valids.required === true && kindOf(uiType).family === 'choice' && value !== undefined
        ? [[attrName, value]]
        : []
    }),
  )
  let serial = Date.now() % 1000
  return async (): Promise<{ readonly idNumber: string; readonly major: string }> => {
    serial += 1
    const number = idNumber(serial)
    const row = await api.entityData.create({
      params: { tag: studentTag },
      body: {
        ...(await newValues(api, config, `${run.prefix}s${serial % 1000}`, {
          ...chosen,
          [idField.attrName]: number,
        })),
      },
    })
    run.onClose(`the student ${number}`, () =>
      api.entityData.remove({ params: { tag: studentTag, ids: row.id } }),
    )
    const major = row[majorField.attrName]
    return {
      idNumber: number,
      major: Array.isArray(major)
        ? String((major[0] as { name?: unknown } | undefined)?.name ?? '')
        : String(major ?? ''),
    }
  }
}

/** An ID number with its check digit (GB 11643). */
function idNumber(serial: number): string {
  const body = `11010119010101${String(serial % 1000).padStart(3, '0')}`
  return `${body}${'10X98765432'[[...body].reduce((sum, digit, index) => sum + Number(digit) * (weights[index] ?? 0), 0) % 11] ?? ''}`
}
