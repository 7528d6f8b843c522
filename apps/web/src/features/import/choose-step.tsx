import { Button } from '@blueprintjs/core'
import { Cross, Document, Download, Upload } from '@blueprintjs/icons'
import { type EntityConfig, importFormats, limits, problemText } from '@jiaowu/api'
import { useApp } from '../../shell/context/app-context.tsx'
import { DropZone } from '../../ui/drop-zone.tsx'
import { sizeText } from '../../ui/sizes.ts'
import { KeySelect, ModeCards, MoreChoices } from './choice-fields.tsx'
import { JobHistory } from './job-history.tsx'
import type { Transfer } from './use-transfer.ts'

const accept = importFormats.map((format) => `.${format}`).join(',')

/** The sheet and what to do with it; jobs begun before, here or elsewhere. */
export function ChooseStep({
  transfer: { view, send, shelf },
  config,
}: {
  readonly transfer: Transfer
  readonly config: EntityConfig
}) {
  const { t, say, locale } = useApp()
  const { file, fault, problem, choices, modes } = view
  const take = ([chosen]: readonly File[]) => {
    if (chosen !== undefined) send({ type: 'file.choose', file: shelf.keep(chosen) })
  }
  const keys = config.fields
    .filter(({ unique }) => unique === true)
    .map(({ attrName, uiLabel }) => ({ attrName, label: uiLabel }))
  return (
    <>
      <div className="jw-tr__body">
        {fault === null && problem === null ? null : (
          <p className="jw-fault" role="alert">
            {fault === null
              ? problemText(
                  locale,
                  problem ?? {
                    kind: 'transport',
                    code: 0,
                    message: '',
                    issues: [],
                    data: null,
                    traceId: null,
                  },
                )
              : say(fault)}
          </p>
        )}
        <DropZone label={t('import.file')} accept={accept} onFiles={take} className="jw-tr__drop">
          {(choose) =>
            file === null ? (
              <>
                <Upload size={28} className="jw-drop__icon" />
                <span>
                  {t('import.drop')}{' '}
                  <button type="button" className="jw-drop__choose" onClick={choose}>
                    {t('import.choose')}
                  </button>
                </span>
                <small className="jw-muted">
                  {t('import.limits', { mb: Math.floor(limits.importBytes / 1_048_576) })}
                </small>
              </>
            ) : (
              <div className="jw-tr__file">
                <Document size={24} />
                <span className="jw-tr__name" title={file.name}>
                  {file.name}
                </span>
                <span className="jw-muted">{sizeText(file.size)}</span>
                <Button variant="minimal" text={t('import.dropFile')} onClick={choose} />
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
        <ModeCards
          choices={choices}
          modes={modes}
          disabled={!view.choicesKnown}
          onChange={(change) => send({ type: 'choices.change', choices: change })}
        />
        <div className="jw-tr__choices">
          {choices.mode === 'insert' ? null : (
            <KeySelect
              choices={choices}
              keys={keys}
              disabled={!view.choicesKnown}
              onChange={(change) => send({ type: 'choices.change', choices: change })}
            />
          )}
          <MoreChoices
            choices={choices}
            disabled={!view.choicesKnown}
            onChange={(change) => send({ type: 'choices.change', choices: change })}
          />
        </div>
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
