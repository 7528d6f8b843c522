import { Button, DialogBody, DialogFooter, ProgressBar } from '@blueprintjs/core'
import { problemText } from '@jiaowu/api/problem'
import { useText } from '../../../../app/text-context.ts'
import { DropZone } from '../../../../ui/drop-zone.tsx'
import { CancelButton } from '../../../../ui/overlays/cancel-button.tsx'
import { Dialog } from '../../../../ui/overlays/dialog.tsx'
import { UnsavedInput } from '../../../../ui/overlays/unsaved-input.tsx'
import { SheetDropHint } from '../../../import/steps/sheet-drop-hint.tsx'
import { usePastedSheet } from '../../../import/steps/use-pasted-sheet.ts'
import { SheetPlanForm } from './sheet-plan-form.tsx'
import {
  type MadeTable,
  type NextSheet,
  type SheetTable,
  useSheetTable,
} from './use-sheet-table.ts'

const accept = '.xlsx,.xlsm,.csv,.tsv,.txt'

interface Props {
  /** The sheet to read at once, of a book that was chosen before. */
  readonly next: NextSheet | null
  readonly onClose: () => void
  readonly onMade: (made: MadeTable) => void
}

/** Dialog 引入表格: a sheet that fits no entity becomes a table with its rows. */
export function SheetDialog({ next, onClose, onMade }: Props) {
  const { t, locale } = useText()
  const table = useSheetTable(onMade, next)
  const { step, plan, problem } = table
  const isMaking = step === 'making'
  const isOpen = step === 'planning'
  const taken = plan?.columns.filter(({ isLeft }) => !isLeft) ?? []
  const isWhole =
    plan !== null &&
    plan.name.trim() !== '' &&
    taken.length > 0 &&
    taken.every(({ kind, target, label }) => label.trim() !== '' && (kind !== 'relation' || target))
  return (
    <Dialog
      isOpen
      onClose={onClose}
      isCloseButtonShown={!isMaking}
      title={t('sheetTable.open')}
      className="jw-adopt"
    >
      <DialogBody>
        <p className="jw-muted">
          {next === null
            ? t('sheetTable.hint')
            : t('sheetTable.nextHint', { sheet: next.sheet, n: next.more.length })}
        </p>
        {problem === null ? null : (
          <div role="alert">
            {(problem.issues.length > 0
              ? problem.issues.map(({ msg }) => msg)
              : [problemText(locale, problem)]
            ).map((text) => (
              <p key={text} className="jw-fault">
                {text}
              </p>
            ))}
          </div>
        )}
        {step === 'choosing' ? <Choose table={table} /> : null}
        {step === 'reading' || isMaking ? (
          <div role="status">
            <p>{t(isMaking ? 'sheetTable.making' : 'sheetTable.reading')}</p>
            <ProgressBar
              intent="primary"
              aria-label={t(isMaking ? 'sheetTable.making' : 'sheetTable.reading')}
            />
          </div>
        ) : null}
        {plan !== null && isOpen ? (
          <UnsavedInput>
            <SheetPlanForm table={table} plan={plan} />
          </UnsavedInput>
        ) : null}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            {isOpen ? <Button text={t('sheetTable.again')} onClick={table.forget} /> : null}
            <CancelButton disabled={isMaking} onClick={onClose} />
            {plan === null ? null : (
              <Button
                intent="primary"
                disabled={!isOpen || !isWhole}
                text={t('sheetTable.save', { n: plan.rows.toLocaleString(locale) })}
                onClick={() => {
                  void table.make()
                }}
              />
            )}
          </>
        }
      />
    </Dialog>
  )
}

function Choose({ table }: { readonly table: SheetTable }) {
  const { t } = useText()
  const choose = ([chosen]: readonly File[]) => {
    if (chosen !== undefined) table.read(chosen)
  }
  usePastedSheet(`${t('import.pasted')}.tsv`, choose)
  return (
    <DropZone label={t('sheetTable.file')} accept={accept} onFiles={choose} className="jw-tr__drop">
      {(openDialog) => <SheetDropHint onChoose={openDialog} />}
    </DropZone>
  )
}
