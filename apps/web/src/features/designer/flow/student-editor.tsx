import { Checkbox } from '@blueprintjs/core'
import type { Flow } from '@jiaowu/api/entity/definition/flow'
import { useText } from '../../../app/text-context.ts'
import type { ConfigRow } from '../config/rows.ts'
import { withCurrent } from '../config/rows.ts'
import { type EditorProps, FlowRows, toEdit } from './flow-rows.tsx'

type Student = NonNullable<Flow['student']>

/** Whether students apply by themselves, and what they fill in. */
export function StudentEditor({ flow, sources, change }: EditorProps) {
  const { t } = useText()
  const { student } = flow
  const [first] = sources.students
  if (student === undefined && first === undefined) return null
  const field = student?.field ?? first?.value ?? ''
  const fill = sources.openFields.map(({ value }) => value).filter((name) => name !== field)
  return (
    <fieldset className="jw-flow-editor__set">
      <legend>{t('designer.flow.student')}</legend>
      <Checkbox
        checked={student !== undefined}
        label={t('designer.flow.student.apply')}
        onChange={() =>
          change({
            type: 'set',
            patch: { student: student === undefined ? { field, fill } : undefined },
          })
        }
      />
      {student === undefined ? null : (
        <FlowRows rows={listStudentRows(student, sources)} change={change} />
      )}
    </fieldset>
  )
}

function listStudentRows(
  student: Student,
  { students, openFields }: EditorProps['sources'],
): readonly ConfigRow[] {
  const { field, fill, help } = student
  const set = (patch: Partial<Student>) =>
    toEdit({ type: 'set', patch: { student: { ...student, ...patch } } })
  const setHelp = (zh: string, en: string) => {
    const { help: _old, ...rest } = student
    // Both languages or none: an empty one takes the other's words.
    const words = { zh: zh.trim() || en.trim(), en: en.trim() || zh.trim() }
    return toEdit({
      type: 'set',
      patch: { student: words.zh === '' ? rest : { ...rest, help: words } },
    })
  }
  return [
    {
      path: 'flow.student.field',
      label: 'designer.flow.student.field',
      control: {
        is: 'choice',
        value: field,
        items: withCurrent(students, field),
        set: (name) => set({ field: name }),
      },
    },
    {
      path: 'flow.student.fill',
      label: 'designer.flow.student.fill',
      control: {
        is: 'many',
        value: fill,
        items: openFields.filter(({ value }) => value !== field),
        // One field at least.
        set: (names) => set(names.length === 0 ? {} : { fill: [...names] }),
      },
    },
    {
      path: 'flow.student.help.zh',
      label: 'designer.flow.student.helpZh',
      control: {
        is: 'text',
        lines: 2,
        value: help?.zh ?? '',
        set: (zh) => setHelp(zh, zh.trim() === '' ? '' : (help?.en ?? '')),
      },
    },
    {
      path: 'flow.student.help.en',
      label: 'designer.flow.student.helpEn',
      control: {
        is: 'text',
        lines: 2,
        value: help?.en ?? '',
        set: (en) => setHelp(help?.zh ?? '', en),
      },
    },
  ]
}
