import type { JobError } from '@jiaowu/api/contract/job'
import { useText } from '../../../app/text-context.ts'

/** The headings of a table of errors. */
export function ErrorHead() {
  const { t } = useText()
  return (
    <thead>
      <tr>
        {(['row', 'column', 'value', 'reason'] as const).map((name) => (
          <th key={name} scope="col">
            {t(`import.col.${name}`)}
          </th>
        ))}
      </tr>
    </thead>
  )
}

/** Where an error is: its row, after the name of its sheet where several are imported. */
export function RowCell({ row, sheet }: Pick<JobError, 'row' | 'sheet'>) {
  return (
    <td className="jw-tr__letter">
      {sheet === undefined ? null : <small>{sheet} </small>}
      {row}
    </td>
  )
}
