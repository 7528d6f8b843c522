import { Button, Checkbox, HTMLSelect, Radio, Tag } from '@blueprintjs/core'
import { Refresh } from '@blueprintjs/icons'
import { type ImportReading, type TextEncoding, textEncodings } from '@jiaowu/api/contract/job'
import { decodedAs, encodingLabel } from '@jiaowu/machines/transfer/reading'
import type { ReviewView } from '@jiaowu/machines/transfer/view'
import type { TransferEvent } from '@jiaowu/machines/transfer/context'
import { useId, useState } from 'react'
import { useText } from '../../../app/text-context.ts'

interface Props {
  readonly file: ReviewView['file']
  readonly disabled: boolean
  readonly send: (event: TransferEvent) => void
}

/** Which sheets are imported, which row is their heading, and how text is decoded: all can be changed. */
export function SheetPanel({ file, disabled, send }: Props) {
  const { t } = useText()
  const { sheets, heading, encoding, reading, change } = useReading(file)
  const isBroken = file.encoding?.isBroken === true
  const headings = useId()
  const width = Math.max(...file.preview.map(({ cells }) => cells.length))
  return (
    <div className="jw-tr__file-panel">
      <Sheets
        file={file}
        sheets={sheets}
        disabled={disabled}
        onChange={(names) => change({ sheets: names })}
      />
      <div className="jw-tr__scroll">
        <table className="jw-tr__table jw-tr__preview" aria-label={t('import.preview')}>
          <tbody>
            {file.preview.map(({ row, cells }) => (
              <tr key={row} className={row === heading ? 'is-heading' : ''}>
                <th scope="row">
                  <Radio
                    name={headings}
                    disabled={disabled || isBroken}
                    checked={row === heading}
                    aria-label={t('import.headingRow', { row })}
                    labelElement={row}
                    onChange={() => change({ heading: row })}
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
          name={headings}
          disabled={disabled || isBroken}
          checked={heading === 0}
          label={t('import.noHeading')}
          onChange={() => change({ heading: 0 })}
        />
        {file.hiddenRows === null ? null : (
          <Checkbox
            inline
            disabled={disabled}
            checked={file.hiddenRows.left}
            label={t('import.leaveHidden', { n: file.hiddenRows.rows })}
            onChange={(event) =>
              send({
                type: 'reading.change',
                reading: { leaveHidden: event.currentTarget.checked },
              })
            }
          />
        )}
        <Encodings
          file={file}
          encoding={encoding}
          disabled={disabled}
          onChange={(name) => change({ encoding: name })}
        />
        <Button
          icon={<Refresh />}
          text={t('import.readAgain')}
          disabled={disabled || reading === null}
          onClick={() => (reading === null ? null : send({ type: 'reading.change', reading }))}
        />
      </div>
    </div>
  )
}

/**
 * Keeps the choices that are not read yet. A heading is one of the text and the sheets as they were
 * read: each choice takes the others back.
 */
function useReading(file: Props['file']) {
  const now = {
    sheets: file.sheets.filter(({ chosen }) => chosen).map(({ name }) => name),
    heading: file.headerRow,
    encoding: file.encoding?.name,
  }
  const [chosen, setChosen] = useState(now)
  const { sheets, heading, encoding } = chosen
  const areOthers = sheets.join('\n') !== now.sheets.join('\n')
  const reading: ImportReading | null = areOthers
    ? sheets.length === 0
      ? null
      : { sheets }
    : heading !== now.heading
      ? { heading }
      : encoding === undefined
        ? null
        : decodedAs(file, encoding)
  const change = (choice: Partial<typeof now>) => setChosen({ ...now, ...choice })
  return { ...chosen, reading, change }
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
  const { t, locale } = useText()
  if (file.encoding === null) return null
  const { name } = file.encoding
  return (
    <HTMLSelect
      value={encoding ?? name}
      disabled={disabled}
      aria-label={t('import.encoding')}
      options={textEncodings.map((each) => ({
        value: each,
        label: encodingLabel(locale, file, each),
      }))}
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
  readonly onChange: (sheets: string[]) => void
}) {
  const { t } = useText()
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
      {file.sheets.map(({ name, fits, alike, isHidden }) => (
        <Checkbox
          key={name}
          inline
          checked={sheets.includes(name)}
          labelElement={
            <>
              {name}
              {isHidden === true ? (
                <Tag minimal className="jw-tr__hidden">
                  {t('import.sheetHidden')}
                </Tag>
              ) : null}{' '}
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
