import { Button, ButtonGroup, InputGroup, Menu, MenuItem, Tag } from '@blueprintjs/core'
import { ArrowLeft, Code, EyeOpen, History, Redo, Undo } from '@blueprintjs/icons'
import type { DefinitionFinding } from '@jiaowu/api/entity/definition/stored'
import type { DesignerEvent } from '@jiaowu/machines/designer/types'
import type { DesignerView } from '@jiaowu/machines/designer/view'
import { useText } from '../../app/text-context.ts'
import { Popover } from '../../ui/overlays/popover.tsx'

interface Props {
  readonly view: DesignerView
  readonly send: (event: DesignerEvent) => void
  readonly note: string
  readonly onNote: (note: string) => void
  readonly onJump: (finding: DefinitionFinding) => void
  readonly onRevisions: () => void
  readonly onSave: () => void
}

export function DesignerToolbar({ view, send, note, onNote, onJump, onRevisions, onSave }: Props) {
  const { t } = useText()
  return (
    <div
      className="jw-design__bar"
      role="toolbar"
      aria-label={t('designer.tools')}
      tabIndex={-1}
      data-part-of-page
    >
      <Button
        variant="minimal"
        icon={<ArrowLeft />}
        aria-label={t('designer.back')}
        title={t('designer.back')}
        disabled={!view.can.leave}
        onClick={() => send({ type: 'design.leave' })}
      />
      <strong className="jw-design__name">
        {view.draft.name}
        <code>{view.draft.tag}</code>
      </strong>
      <SaveState view={view} />
      <Faults findings={view.findings} onJump={onJump} />
      <Parts view={view} send={send} />
      <span className="jw-toolbar__gap" />
      <HistoryButtons view={view} send={send} />
      <ViewButtons view={view} send={send} />
      <Button
        icon={<History />}
        text={t('designer.revisions')}
        disabled={view.isNew}
        onClick={onRevisions}
      />
      <InputGroup
        className="jw-design__note"
        value={note}
        placeholder={t('designer.note')}
        title={t('designer.noteHint')}
        aria-label={t('designer.note')}
        maxLength={500}
        onValueChange={onNote}
      />
      <Button
        intent="primary"
        text={t('common.save')}
        title="Ctrl+S"
        loading={view.step === 'saving' || view.step === 'reviewing'}
        disabled={!view.can.save}
        className="jw-design__save"
        onClick={onSave}
      />
    </div>
  )
}

function isPreviewing({ view }: DesignerView): boolean {
  return view !== 'designing' && view !== 'json' && view !== 'flow'
}

/** Chooses what is designed: the fields, or the flow. */
function Parts({ view, send }: Pick<Props, 'view' | 'send'>) {
  const { t } = useText()
  const isFlow = view.view === 'flow'
  const isBusy = view.step !== 'editing' || view.view === 'json'
  return (
    <ButtonGroup>
      <Button
        active={!isFlow}
        aria-pressed={!isFlow}
        text={t('designer.view.fields')}
        disabled={isBusy}
        onClick={() => {
          if (isFlow) send({ type: 'flow.close' })
        }}
      />
      <Button
        active={isFlow}
        aria-pressed={isFlow}
        text={t('designer.view.flow')}
        disabled={isBusy}
        onClick={() => send({ type: 'flow.show' })}
      />
    </ButtonGroup>
  )
}

function SaveState({ view }: Pick<Props, 'view'>) {
  const { t } = useText()
  const text = view.checking
    ? t('designer.state.checking')
    : view.isNew
      ? t('designer.state.new')
      : view.unsaved
        ? t('designer.state.unsaved')
        : t('designer.state.saved', { n: view.version ?? 0 })
  return (
    <Tag
      minimal
      intent={view.unsaved ? 'warning' : 'success'}
      className="jw-design__state"
      aria-live="polite"
    >
      {text}
    </Tag>
  )
}

function HistoryButtons({ view, send }: Pick<Props, 'view' | 'send'>) {
  const { t } = useText()
  return (
    <ButtonGroup>
      <Button
        icon={<Undo />}
        aria-label={t('designer.undo')}
        title={`${t('designer.undo')} Ctrl+Z`}
        disabled={!view.can.undo}
        onClick={() => send({ type: 'history.undo' })}
      />
      <Button
        icon={<Redo />}
        aria-label={t('designer.redo')}
        title={`${t('designer.redo')} Ctrl+Shift+Z`}
        disabled={!view.can.redo}
        onClick={() => send({ type: 'history.redo' })}
      />
    </ButtonGroup>
  )
}

/** Buttons for the definition as JSON and for the preview. */
function ViewButtons({ view, send }: Pick<Props, 'view' | 'send'>) {
  const { t } = useText()
  return (
    <>
      <Button
        icon={<Code />}
        text={t('designer.json')}
        disabled={!view.can.json}
        onClick={() => send({ type: 'json.open' })}
      />
      <Button
        icon={<EyeOpen />}
        text={t('designer.preview')}
        active={isPreviewing(view)}
        disabled={view.view === 'json' || view.view === 'flow'}
        onClick={() =>
          send(
            view.view === 'designing'
              ? { type: 'preview.show', kind: 'list' }
              : { type: 'preview.close' },
          )
        }
      />
    </>
  )
}

/** Menu of the findings; a click selects the faulty field and focuses the faulty setting. */
function Faults({
  findings,
  onJump,
}: {
  readonly findings: readonly DefinitionFinding[]
  readonly onJump: Props['onJump']
}) {
  const { t } = useText()
  const errors = findings.filter(({ severity }) => severity === 'error').length
  if (findings.length === 0) return null
  return (
    <Popover
      content={
        <Menu className="jw-faults">
          {findings.map((finding) => (
            <MenuItem
              key={finding.id + finding.path}
              intent={finding.severity === 'error' ? 'danger' : 'warning'}
              text={finding.msg}
              multiline
              onClick={() => onJump(finding)}
            />
          ))}
        </Menu>
      }
    >
      <Button
        size="small"
        variant="minimal"
        intent={errors > 0 ? 'danger' : 'warning'}
        className="jw-design__faults"
        text={
          errors > 0
            ? t('designer.faults', { n: errors })
            : t('designer.warnings', { n: findings.length })
        }
      />
    </Popover>
  )
}
