import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { ImportMode } from '@jiaowu/api/contract/job'
import type { TransferView } from '@jiaowu/machines/transfer/view'
import { useText } from '../../app/text-context.ts'
import { Unsaved } from '../../app/unsaved.ts'
import { ChooseStep } from './steps/choose-step.tsx'
import { EndStep } from './steps/end-step.tsx'
import { Pane } from '../transfer/pane.tsx'
import { ProgressStep } from './steps/progress-step.tsx'
import { ReviewStep } from './steps/review-step.tsx'
import { openJob, useTransfer } from '../transfer/use-transfer.ts'
import { Drawer } from '../../ui/overlays/drawer.tsx'

interface Props {
  readonly config: EntityConfig
  readonly modes: readonly ImportMode[]
  readonly onClose: () => void
  readonly onChanged: () => void
}

const steps = ['choose', 'check', 'write', 'done'] as const

/**
 * Draws the import machine in a drawer (docs/rules/contract.md#entity-data). A job that the server
 * has started continues after the drawer is closed.
 */
export function ImportDrawer({ config, modes, onClose, onChanged }: Props) {
  const { t } = useText()
  const transfer = useTransfer(
    { tag: config.tag, kind: 'import', modes, job: openJob(config.tag) },
    onChanged,
  )
  const { view } = transfer
  const { step, job, review } = view
  const isReview =
    job !== null &&
    review !== null &&
    (step === 'reviewing' ||
      step === 'confirming' ||
      (step === 'sending' && job.status !== 'failed' && job.phase !== 'writing'))
  return (
    <Drawer
      isOpen
      onClose={onClose}
      title={t('import.title', { name: config.name })}
      size=""
      className="jw-tr"
      canOutsideClickClose={step === 'done'}
    >
      <Unsaved when={review?.edited === true} />
      <Steps view={view} />
      <Pane step={isReview ? 'reviewing' : step}>
        {isReview ? (
          <ReviewStep transfer={transfer} config={config} job={job} review={review} />
        ) : step === 'choosing' ? (
          <ChooseStep transfer={transfer} config={config} />
        ) : step === 'done' || step === 'failed' || step === 'paused' || step === 'unopened' ? (
          <EndStep transfer={transfer} onClose={onClose} />
        ) : (
          <ProgressStep transfer={transfer} />
        )}
      </Pane>
    </Drawer>
  )
}

/** The four steps of an import, the current one marked. */
function Steps({ view }: { readonly view: TransferView }) {
  const { t } = useText()
  const at = resolveStepIndex(view)
  return (
    <ol className="jw-tr__steps" aria-label={t('import.steps')}>
      {steps.map((name, index) => (
        <li
          key={name}
          className={index < at ? 'is-past' : index === at ? 'is-now' : ''}
          aria-current={index === at ? 'step' : undefined}
        >
          <span>{index + 1}</span>
          {t(`import.step.${name}`)}
        </li>
      ))}
    </ol>
  )
}

function resolveStepIndex({ step, job }: TransferView): number {
  if (step === 'choosing' || step === 'uploading' || step === 'opening' || step === 'unopened')
    return 0
  if (step === 'done' || step === 'failed') return 3
  return step === 'running' || job?.phase === 'writing' ? 2 : 1
}
