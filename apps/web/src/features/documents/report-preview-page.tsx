import { Button, FormGroup, InputGroup } from '@blueprintjs/core'
import { type SubmitEvent, useCallback, useEffect, useId, useState } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router-dom'
import { useApi } from '../../app/api-context.ts'
import { useTabs } from '../../app/tab-context.ts'
import { useText } from '../../app/text-context.ts'
import { PrintPreview } from './print-preview.tsx'

/**
 * /report/{code}/preview: the online report (docs/spec/2-student-service-and-designer.md §2).
 * `code` is the report's code or id, `stuNo` in the query the student's number.
 */
export function ReportPreviewPage({ onClose }: { readonly onClose?: () => void }) {
  const { t } = useText()
  const { can } = useApi()
  const { closeTab, setTabTitle } = useTabs()
  const { code = '' } = useParams()
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const [asked, setAsked] = useState<string | null>(null)
  const stuNo = asked ?? new URLSearchParams(search).get('stuNo') ?? ''
  const path = `${pathname}${search}`
  useEffect(() => {
    if (onClose === undefined) setTabTitle(path, t('printPage.title'))
  }, [onClose, path, setTabTitle, t])
  const leave = useCallback(() => {
    closeTab(path)
    void navigate('/')
  }, [closeTab, navigate, path])
  if (!can('print:preview'))
    return (
      <p className="jw-fault" role="alert">
        {t('problem.forbidden')}
      </p>
    )
  return (
    <div className={onClose === undefined ? 'jw-panel jw-print-page' : 'jw-print-page'}>
      {stuNo === '' ? (
        <AskStudent onAnswer={setAsked} />
      ) : (
        <PrintPreview
          key={`${code} ${stuNo}`}
          subject={{ reportId: code, stuNo }}
          onClosed={onClose ?? leave}
        />
      )}
    </div>
  )
}

/** Asks for the student number when the address has none. */
function AskStudent({ onAnswer }: { readonly onAnswer: (stuNo: string) => void }) {
  const { t } = useText()
  const id = useId()
  const [typed, setTyped] = useState('')
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (typed.trim() !== '') onAnswer(typed.trim())
  }
  return (
    <form className="jw-print-ask" onSubmit={submit}>
      <FormGroup label={t('printPage.studentNo')} labelFor={id}>
        <InputGroup id={id} autoFocus maxLength={64} value={typed} onValueChange={setTyped} />
      </FormGroup>
      <Button
        type="submit"
        intent="primary"
        fill
        text={t('printPage.show')}
        disabled={typed.trim() === ''}
      />
    </form>
  )
}
