import { Button } from '@blueprintjs/core'
import { Cross, Document, Download, Upload } from '@blueprintjs/icons'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import { problemDetail } from '@jiaowu/api/problem'
import { useText } from '../../../app/text-context.ts'
import { DropZone } from '../../../ui/drop-zone.tsx'
import { sizeText } from '../../../ui/sizes.ts'
import { KeySelect, ModeCards, MoreChoices } from './choice-fields.tsx'
import { JobHistory } from './job-history.tsx'
import { SheetDropHint } from './sheet-drop-hint.tsx'
import type { Transfer } from '../../transfer/use-transfer.ts'
import { usePastedSheet } from './use-pasted-sheet.ts'

const accept = '.xlsx,.xlsm,.csv,.tsv,.txt,.ndjson,.xls,.et,.ods,.numbers'

/** First step of an import: the file, the choices, and the user's earlier jobs. */
export function ChooseStep({
  transfer,
  config,
}: {
  readonly transfer: Transfer
  readonly config: EntityConfig
}) {
  const { t } = useText()
  const { view, send } = transfer
  return (
    <>
      <div className="jw-tr__body">
        <ChooseFault view={view} />
        <FileDrop transfer={transfer} />
        <div className="jw-tr__template">
          <Button
            variant="minimal"
            intent="primary"
            icon={<Download />}
            text={t('import.template')}
            disabled={!view.can.template}
            loading={view.saving === 'template'}
            onClick={() => send({ type: 'template.save' })}
          />
          <span className="jw-muted">{t('import.templateHint')}</span>
        </div>
        <Choices transfer={transfer} config={config} />
        <JobHistory view={view} send={send} />
      </div>
      <div className="jw-tr__foot">
        <span className="jw-muted jw-tr__note">{t('import.checkFirst')}</span>
        <Button
          intent="primary"
          icon={<Upload />}
          text={t('import.start')}
          disabled={!view.can.upload}
          onClick={() => send({ type: 'upload.start' })}
        />
      </div>
    </>
  )
}

/** The fault of the chosen file, else the problem of the last request. */
function ChooseFault({ view: { fault, problem } }: Pick<Transfer, 'view'>) {
  const { messageText, locale } = useText()
  const text =
    fault === null ? (problem === null ? null : problemDetail(locale, problem)) : messageText(fault)
  return text === null ? null : (
    <p className="jw-fault" role="alert">
      {text}
    </p>
  )
}

function FileDrop({ transfer: { view, send, files } }: { readonly transfer: Transfer }) {
  const { t } = useText()
  const { file } = view
  const choose = ([chosen]: readonly File[]) => {
    if (chosen !== undefined) send({ type: 'file.choose', file: files.add(chosen) })
  }
  usePastedSheet(`${t('import.pasted')}.tsv`, choose)
  return (
    <DropZone label={t('import.file')} accept={accept} onFiles={choose} className="jw-tr__drop">
      {(openDialog) =>
        file === null ? (
          <SheetDropHint onChoose={openDialog} />
        ) : (
          <div className="jw-tr__file">
            <Document size={24} />
            <span className="jw-tr__name" title={file.name}>
              {file.name}
            </span>
            <span className="jw-muted">{sizeText(file.size)}</span>
            <Button variant="minimal" text={t('import.dropFile')} onClick={openDialog} />
            <Button
              variant="minimal"
              icon={<Cross />}
              aria-label={`${t('common.delete')} ${file.name}`}
              onClick={() => send({ type: 'file.drop' })}
            />
          </div>
        )
      }
    </DropZone>
  )
}

function Choices({
  transfer: { view, send },
  config,
}: {
  readonly transfer: Transfer
  readonly config: EntityConfig
}) {
  const shared = {
    choices: view.choices,
    disabled: !view.choicesKnown,
    onChange: (choices: Partial<Transfer['view']['choices']>) =>
      send({ type: 'choices.change', choices }),
  }
  const keys = config.fields
    .filter(({ unique }) => unique === true)
    .map(({ attrName, uiLabel }) => ({ attrName, label: uiLabel }))
  return (
    <>
      <ModeCards {...shared} modes={view.modes} />
      <div className="jw-tr__choices">
        {view.choices.mode === 'insert' ? null : <KeySelect {...shared} keys={keys} />}
        <MoreChoices {...shared} />
      </div>
    </>
  )
}
