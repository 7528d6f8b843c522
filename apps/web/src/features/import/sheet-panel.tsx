import { Button, Checkbox, HTMLSelect, Radio } from '@blueprintjs/core'
import { Refresh } from '@blueprintjs/icons'
import { type TextEncoding, textEncodings } from '@jiaowu/api'
import type { ReviewView, TransferEvent } from '@jiaowu/machines'
import { useState } from 'react'
import { useApp } from '../../shell/context/app-context.tsx'

interface Props {
  readonly file: ReviewView['file']
  readonly disabled: boolean
  readonly send: (event: TransferEvent) => void
}

/** Which sheets are imported, which row is their heading, and how text is decoded: all can be changed. */
export function SheetPanel({ file, disabled, send }: Props) {
  const { t } = useApp()
  const now = file.sheets.filter(({ chosen }) => chosen).map(({ name }) => name)
  const [sheets, setSheets] = useState<readonly string[]>(now)
  const [heading, setHeading] = useState(file.headerRow)
  const [encoding, setEncoding] = useState(file.encoding?.name)
  const isDecoded = encoding !== file.encoding?.name
  const isOther = isDecoded || sheets.join('\n') !== now.join('\n')
  const isMoved = heading !== file.headerRow
  const width = Math.max(...file.preview.map(({ cells }) => cells.length))
  return (
    <div className="jw-tr__file-panel">
      <Sheets file={file} sheets={sheets} disabled={disabled} onChange={setSheets} />
      <div className="jw-tr__scroll">
        <table className="jw-tr__table jw-tr__preview" aria-label={t('import.preview')}>
          <tbody>
            {file.preview.map(({ row, cells }) => (
              <tr key={row} className={row === heading ? 'is-heading' : ''}>
                <th scope="row">
                  <Radio
                    name="jw-tr-heading"
                    disabled={disabled || isOther}
                    checked={row === heading}
                    aria-label={t('import.headingRow', { row })}
                    labelElement={row}
                    onChange={() => setHeading(row)}
                  />
                </th>
                {Array.from({ length: width }, (_none, index) => (
                  <td key={index}>{cells[index]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="jw-tr__ways">
        <Radio
          inline
          name="jw-tr-heading"
          disabled={disabled || isOther}
          checked={heading === 0}
          label={t('import.noHeading')}
          onChange={() => setHeading(0)}
        />
        <Encodings file={file} encoding={encoding} disabled={disabled} onChange={setEncoding} />
        <Button
          icon={<Refresh />}
          text={t('import.readAgain')}
          disabled={
            disabled || (sheets.length === 0 && file.sheets.length > 0) || !(isOther || isMoved)
          }
          onClick={() =>
            send({
              type: 'reading.change',
              reading: {
                ...(file.sheets.length === 0 ? {} : { sheets: [...sheets] }),
                ...(isMoved && !isOther ? { heading } : {}),
                ...(isDecoded && encoding !== undefined ? { encoding } : {}),
              },
            })
          }
        />
      </div>
    </div>
  )
}

function Encodings({
  file,
  encoding,
  disabled,
  onChange,
}: Pick<Props, 'file' | 'disabled'> & {
  readonly encoding: TextEncoding | undefined
  readonly onChange: (encoding: TextEncoding) => void
}) {
  const { t } = useApp()
  if (file.encoding === null) return null
  const { name, isGuess } = file.encoding
  const label = (each: TextEncoding) =>
    each === name && isGuess
      ? t('import.encodingGuess', { name: t(`import.encoding.${each}`) })
      : t(`import.encoding.${each}`)
  return (
    <HTMLSelect
      value={encoding ?? name}
      disabled={disabled}
      aria-label={t('import.encoding')}
      options={textEncodings.map((each) => ({ value: each, label: label(each) }))}
      onChange={(event) =>
        onChange(textEncodings.find((each) => each === event.currentTarget.value) ?? name)
      }
    />
  )
}

function Sheets({
  file,
  sheets,
  disabled,
  onChange,
}: Pick<Props, 'file' | 'disabled'> & {
  readonly sheets: readonly string[]
  readonly onChange: (sheets: readonly string[]) => void
}) {
  const { t } = useApp()
  if (file.sheets.length === 0) return null
  const choose = (name: string, isChosen: boolean) =>
    onChange(
      file.sheets
        .map((each) => each.name)
        .filter((each) => (each === name ? isChosen : sheets.includes(each))),
    )
  return (
    <fieldset disabled={disabled} className="jw-tr__sheets">
      <legend>{t('import.sheets')}</legend>
      {file.sheets.map(({ name, fits, alike }) => (
        <Checkbox
          key={name}
          inline
          checked={sheets.includes(name)}
          labelElement={
            <>
              {name}{' '}
              <small className="jw-muted">
                {alike ? t('import.sheetAlike') : t('import.sheetFits', { n: fits })}
              </small>
            </>
          }
          onChange={(event) => choose(name, event.currentTarget.checked)}
        />
      ))}
    </fieldset>
  )
}
