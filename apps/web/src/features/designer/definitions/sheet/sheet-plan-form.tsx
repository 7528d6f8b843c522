import { Callout, FormGroup, HTMLSelect, InputGroup } from '@blueprintjs/core'
import { cutText } from '@jiaowu/api/cut-text'
import type { SheetProposal } from '@jiaowu/api/entity/definition/sheet'
import { useId } from 'react'
import { useText } from '../../../../app/text-context.ts'
import { SheetColumnRow } from './sheet-column-row.tsx'
import type { SheetTable } from './use-sheet-table.ts'

interface Props {
  readonly table: SheetTable
  readonly plan: SheetProposal
}

/** The proposal for a sheet, to be changed. */
export function SheetPlanForm({ table, plan }: Props) {
  const { t } = useText()
  const { notes, fits } = plan
  return (
    <>
      {fits === null ? null : (
        <Callout intent="primary" className="jw-sheet__fits">
          {t('sheetTable.fits', { name: fits.name, n: fits.columns })}
        </Callout>
      )}
      <Names table={table} plan={plan} />
      {notes.map((note) => (
        <p key={note} className="jw-muted">
          {note}
        </p>
      ))}
      <div className="jw-table-wrap jw-adopt__tables jw-sheet__columns">
        <table className="jw-table" aria-label={t('sheetTable.columns')}>
          <thead>
            <tr>
              <th>
                <span className="jw-only-read">{t('sheetTable.columns')}</span>
              </th>
              <th>{t('sheetTable.label')}</th>
              <th>{t('sheetTable.kind')}</th>
              <th>{t('sheetTable.more')}</th>
              <th>{t('sheetTable.unique')}</th>
              <th>{t('sheetTable.required')}</th>
              <th>{t('sheetTable.samples')}</th>
            </tr>
          </thead>
          <tbody>
            {plan.columns.map((column) => (
              <SheetColumnRow
                key={column.column}
                column={column}
                targets={plan.targets}
                onChange={(part) => table.changeColumn(column.column, part)}
              />
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

/** The name, tag and place of the table: changing the place reads the file anew. */
function Names({ table, plan }: Props) {
  const { t } = useText()
  const id = useId()
  const readAgain = (asked: { sheet?: string; heading?: number }) => {
    if (table.file !== null) table.read(table.file, asked)
  }
  return (
    <div className="jw-sheet__names">
      <FormGroup label={t('sheetTable.name')} labelFor={`${id}-name`}>
        <InputGroup
          id={`${id}-name`}
          value={plan.name}
          onValueChange={(name) => table.change({ name })}
        />
      </FormGroup>
      <FormGroup label={t('sheetTable.tag')} labelFor={`${id}-tag`}>
        <InputGroup
          id={`${id}-tag`}
          value={plan.tag}
          onValueChange={(tag) => table.change({ tag: tag.trim() })}
        />
      </FormGroup>
      {plan.sheets.length < 2 ? null : (
        <FormGroup label={t('sheetTable.sheet')} labelFor={`${id}-sheet`}>
          <HTMLSelect
            id={`${id}-sheet`}
            fill
            value={plan.sheet}
            options={[...plan.sheets]}
            onChange={(event) => readAgain({ sheet: event.currentTarget.value })}
          />
        </FormGroup>
      )}
      <FormGroup label={t('sheetTable.heading')} labelFor={`${id}-heading`}>
        <HTMLSelect
          id={`${id}-heading`}
          fill
          value={plan.heading}
          options={[
            { value: 0, label: t('sheetTable.noHeading') },
            ...plan.preview.map(({ row, cells }) => ({
              value: row,
              label: cutText(`${row} ${cells.filter((cell) => cell !== '').join(' · ')}`, 60),
            })),
          ]}
          onChange={(event) =>
            readAgain({
              ...(plan.sheet !== '' && { sheet: plan.sheet }),
              heading: Number(event.currentTarget.value),
            })
          }
        />
      </FormGroup>
    </div>
  )
}
