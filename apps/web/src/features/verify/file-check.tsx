import { Spinner } from '@blueprintjs/core'
import { Cross, Document, Tick } from '@blueprintjs/icons'
import { limits } from '@jiaowu/api/limits'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import { useText } from '../../app/text-context.ts'
import { hashFile } from './file-digest.ts'

export type Outcome =
  | { readonly step: 'none' }
  | { readonly step: 'reading' | 'same' | 'different' | 'tooLarge'; readonly name: string }

/**
 * Compares a file of the user with the issued document, on the user's device. A newer file replaces
 * one still being read.
 */
export function useFileCheck(sha256: string) {
  const [outcome, setOutcome] = useState<Outcome>({ step: 'none' })
  const turn = useRef(0)
  useEffect(() => {
    turn.current += 1
    setOutcome({ step: 'none' })
  }, [sha256])
  const check = async (file: File) => {
    const mine = (turn.current += 1)
    const report = (step: 'reading' | 'same' | 'different' | 'tooLarge') => {
      if (mine === turn.current) setOutcome({ step, name: file.name })
    }
    if (file.size > limits.attachmentBytes) {
      report('tooLarge')
      return
    }
    report('reading')
    // An unreadable file (moved, or on a removed drive) counts as different.
    const digest = await hashFile(file).catch(() => '')
    report(digest === sha256 ? 'same' : 'different')
  }
  return { outcome, check }
}

/** Drop a PDF, or choose one: the browser computes its digest and compares. */
export function FileCheck({
  outcome,
  revoked,
  onFile,
}: {
  readonly outcome: Outcome
  readonly revoked: boolean
  readonly onFile: (file: File) => void
}) {
  const { t } = useText()
  const [over, setOver] = useState(false)
  const take = (file: File | undefined) => {
    if (file !== undefined) onFile(file)
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer.files[0])
  }
  return (
    <section className="jw-verify__file">
      <h2>{t('verify.file')}</h2>
      <label
        className={`jw-verify__drop${over ? ' is-over' : ''}`}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
      >
        <Document size={26} aria-hidden />
        <span>{t('verify.fileText')}</span>
        <input
          type="file"
          accept="application/pdf,.pdf"
          aria-label={t('verify.file')}
          onChange={(event) => {
            take(event.target.files?.[0])
            event.target.value = ''
          }}
        />
      </label>
      <div aria-live="polite">
        <Result outcome={outcome} revoked={revoked} />
      </div>
    </section>
  )
}

function Result({ outcome, revoked }: { readonly outcome: Outcome; readonly revoked: boolean }) {
  const { t } = useText()
  if (outcome.step === 'none') return null
  const { step, name } = outcome
  if (step === 'reading')
    return (
      <p className="jw-verify__outcome">
        <Spinner size={18} />
        {t('verify.fileReading', { name })}
      </p>
    )
  if (step === 'same')
    return (
      <div className={`jw-verify__outcome ${revoked ? 'is-revoked' : 'is-valid'}`}>
        <Tick size={20} />
        <div>
          <strong>{t('verify.same')}</strong>
          <p>{t(revoked ? 'verify.sameRevoked' : 'verify.sameText', { name })}</p>
        </div>
      </div>
    )
  return (
    <div className="jw-verify__outcome is-revoked">
      <Cross size={20} />
      <div>
        <strong>{t('verify.different')}</strong>
        <p>{t(step === 'tooLarge' ? 'verify.fileTooLarge' : 'verify.differentText', { name })}</p>
      </div>
    </div>
  )
}
