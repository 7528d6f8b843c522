import type { Flow, FlowName } from '@jiaowu/api/entity/definition/flow'
import type { FlowChange } from '@jiaowu/machines/designer/flow/changes'
import type { DesignerEdit } from '@jiaowu/machines/designer/types'
import { RowControl } from '../config/row-control.tsx'
import type { ConfigRow } from '../config/rows.ts'
import type { FlowSources } from './use-flow-sources.ts'

export interface EditorProps {
  readonly flow: Flow
  readonly sources: FlowSources
  readonly change: (change: FlowChange) => void
}

export function toEdit(change: FlowChange): DesignerEdit {
  return { type: 'flow.edit', change }
}

export function FlowRows({
  rows,
  change,
}: {
  readonly rows: readonly ConfigRow[]
  readonly change: EditorProps['change']
}) {
  return rows.map((row) => (
    <RowControl
      key={row.path}
      row={row}
      path={row.path}
      findings={[]}
      send={(edit) => {
        if (edit.type === 'flow.edit') change(edit.change)
      }}
    />
  ))
}

/** The names in both languages, and the key. */
export function listNameRows(
  name: FlowName,
  key: string,
  rename: (name: FlowName) => FlowChange,
  rekey: (key: string) => FlowChange,
): readonly ConfigRow[] {
  return [
    {
      path: 'flow.name.zh',
      label: 'designer.flow.nameZh',
      control: {
        is: 'text',
        value: name.zh,
        set: (zh) => toEdit(rename({ ...name, zh: zh.trim() })),
      },
    },
    {
      path: 'flow.name.en',
      label: 'designer.flow.nameEn',
      control: {
        is: 'text',
        value: name.en,
        set: (en) => toEdit(rename({ ...name, en: en.trim() })),
      },
    },
    {
      path: 'flow.key',
      label: 'designer.flow.key',
      hint: 'designer.flow.keyHint',
      control: { is: 'text', mono: true, value: key, set: (to) => toEdit(rekey(to.trim())) },
    },
  ]
}
