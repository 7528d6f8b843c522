import { useApp } from '../../shell/context/app-context.tsx'

/** The headings of a table of errors. */
export function ErrorHead() {
  const { t } = useApp()
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
