import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'
import { useText } from '../../app/text-context.ts'
import { Dialog } from './dialog.tsx'
import { CancelButton } from './cancel-button.tsx'

export interface SidesRow {
  readonly key: string
  readonly label: ReactNode
  readonly mine: ReactNode
  readonly theirs: ReactNode
  readonly side: Side
}
type Side = 'mine' | 'theirs'
interface Props {
  readonly title: string
  readonly text: string
  /** Heading of the first column: what a row stands for. */
  readonly heading: string
  readonly saveText: string
  readonly className?: string
  readonly rows: readonly SidesRow[]
  readonly onChoose: (key: string, side: Side) => void
  readonly onSave: () => void
  readonly onCancel: () => void
}

/**
 * Conflict after another user saved the same thing: a table in which the user chooses "mine" or
 * "theirs" for each row that differs (docs/rules/requests.md#r20).
 */
export function SidesDialog({ rows, onChoose, onSave, onCancel, className, ...texts }: Props) {
  const { t } = useText()
  const id = useId()
  const choice = (row: SidesRow, side: Side) => (
    <label>
      <input
        type="radio"
        name={`${id}-${row.key}`}
        checked={row.side === side}
        onChange={() => onChoose(row.key, side)}
      />
      {row[side]}
    </label>
  )
  return (
    <Dialog
      isOpen
      title={texts.title}
      onClose={onCancel}
      className={`jw-stale${className === undefined ? '' : ` ${className}`}`}
      canOutsideClickClose={false}
    >
      <DialogBody>
        <p>{texts.text}</p>
        <table>
          <thead>
            <tr>
              <th scope="col">{texts.heading}</th>
              <th scope="col">{t('form.mine')}</th>
              <th scope="col">{t('form.theirs')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.key} data-part={row.key}>
                <th scope="row">{row.label}</th>
                <td>{choice(row, 'mine')}</td>
                <td>{choice(row, 'theirs')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <CancelButton onClick={onCancel} />
            <Button intent="primary" text={texts.saveText} onClick={onSave} />
          </>
        }
      />
    </Dialog>
  )
}
