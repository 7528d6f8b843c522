import { Button, Checkbox, HTMLSelect, InputGroup } from '@blueprintjs/core'
import { Download, Print } from '@blueprintjs/icons'
import { limits } from '@jiaowu/api/limits'
import { problemText } from '@jiaowu/api/problem'
import type { ReportItem } from '@jiaowu/api/contract/student/student'
import { useEffect, useId, useState } from 'react'
import { useParams } from 'react-router-dom'
import { useApi } from '../../app/api-context.ts'
import { useNotice } from '../../app/notice-context.ts'
import { useText } from '../../app/text-context.ts'
import { Empty } from '../../ui/resource/page-state.tsx'
import { ResourceBody } from '../../ui/resource/resource-body.tsx'
import { useResource } from '../../ui/resource/use-resource.ts'
import { PrintPreview } from './print-preview.tsx'
import { printFiles } from './print-copies.ts'

interface Props {
  readonly onClose: () => void
  /** Gets the name and number of the student. */
  readonly onTitle: (record: string) => void
}
interface Loaded {
  readonly reports: readonly ReportItem[]
  readonly student: string
}
interface Issue {
  readonly ids: readonly string[]
  readonly copies: number
  readonly purpose: string
}

/**
 * /student/{stuNo}/documents: every document of one student, as the counter needs it: several are ticked, and printed
 * by the browser's dialog or downloaded, with their purpose and copies noted. Nothing is charged.
 */
export function StudentDocumentsPage({ onClose, onTitle }: Props) {
  const { api, saveFile } = useApi()
  const { t } = useText()
  const { toast } = useNotice()
  const { stuNo = '' } = useParams()
  const issue = async ({ ids, copies, purpose }: Issue) => {
    const files = []
    for (const reportId of ids)
      files.push(
        await api.print.adminDownload({
          body: { account: stuNo, reportId, copies, ...(purpose !== '' && { purpose }) },
        }),
      )
    return files
  }
  const loaded = useResource({
    query: stuNo,
    load: async (_stuNo, signal): Promise<Loaded> => {
      const [reports, { fldXm, fldXh }] = await Promise.all([
        api.print.reports({ query: { stuNo }, signal }),
        api.print.studentDetail({ body: { stuNo }, signal }),
      ])
      return { reports, student: `${fldXm} ${fldXh}` }
    },
    actions: {
      print: async (asked: Issue) => {
        const files = []
        for (const { stream } of await issue(asked))
          files.push(new Uint8Array(await new Response(stream).arrayBuffer()))
        await printFiles(files, asked.copies)
      },
      save: async (asked: Issue) => {
        for (const file of await issue(asked)) await saveFile(file)
      },
    },
    onDone: {
      print: () => loaded.reload(),
      save: () => {
        toast('success', t('printPage.saved'))
        loaded.reload()
      },
    },
  })
  const student = loaded.data?.student
  useEffect(() => {
    if (student !== undefined) onTitle(student)
  }, [onTitle, student])
  return (
    <ResourceBody of={loaded}>
      {({ reports }) => (
        <Documents
          stuNo={stuNo}
          items={reports}
          acting={loaded.acting}
          problem={loaded.failureOf('print') ?? loaded.failureOf('save')}
          onIssue={(how, asked) => loaded.start(how, asked)}
          onClose={onClose}
        />
      )}
    </ResourceBody>
  )
}

interface DocumentsProps {
  readonly stuNo: string
  readonly items: readonly ReportItem[]
  readonly acting: 'print' | 'save' | null
  readonly problem: Parameters<typeof problemText>[1] | null
  readonly onIssue: (how: 'print' | 'save', issue: Issue) => void
  readonly onClose: () => void
}

function Documents({ stuNo, items, acting, problem, onIssue, onClose }: DocumentsProps) {
  const { t, locale } = useText()
  const { can } = useApi()
  const [shown, setShown] = useState(items[0]?.id ?? null)
  const [ticked, setTicked] = useState<readonly string[]>(items.slice(0, 1).map(({ id }) => id))
  if (shown === null) return <Empty title={t('documents.none')} />
  const mayIssue = can('print:download')
  return (
    <div className="jw-issuing">
      <div className="jw-documents">
        <ul className="jw-documents__list" aria-label={t('documents.ofStudent')}>
          {items.map((item) => (
            <li key={item.id} className={item.id === shown ? 'is-shown' : ''}>
              {mayIssue ? (
                <Checkbox
                  aria-label={t('documents.tick', { name: item.reportName })}
                  checked={ticked.includes(item.id)}
                  onChange={({ currentTarget: { checked } }) => {
                    setTicked(
                      items
                        .map(({ id }) => id)
                        .filter((id) => (id === item.id ? checked : ticked.includes(id))),
                    )
                    if (checked) setShown(item.id)
                  }}
                />
              ) : null}
              <button
                type="button"
                aria-current={item.id === shown}
                onClick={() => setShown(item.id)}
              >
                {item.reportName}
                <LastIssue item={item} />
              </button>
            </li>
          ))}
        </ul>
        <div className="jw-print-page">
          <PrintPreview
            key={shown}
            hasTools={false}
            subject={{ reportId: shown, stuNo }}
            onClosed={onClose}
          />
        </div>
      </div>
      {problem === null ? null : (
        <p className="jw-fault" role="alert">
          {problemText(locale, problem)}
        </p>
      )}
      {mayIssue ? <CounterFoot ids={ticked} acting={acting} onIssue={onIssue} /> : null}
    </div>
  )
}

/** When it was issued last, by whom and for what; nothing when it never was. */
function LastIssue({ item: { lastIssue } }: { readonly item: ReportItem }) {
  const { t } = useText()
  if (lastIssue === undefined) return null
  const { at, by, copies, purpose } = lastIssue
  const parts = [
    by ?? '',
    copies === null ? '' : t('documents.copiesOf', { n: copies }),
    purpose ?? '',
  ]
  return (
    <small title={parts.filter((part) => part !== '').join(' · ')}>
      {t('documents.last', { at: at.slice(0, 16) })}
    </small>
  )
}

function CounterFoot({
  ids,
  acting,
  onIssue,
}: {
  readonly ids: readonly string[]
  readonly acting: 'print' | 'save' | null
  readonly onIssue: (how: 'print' | 'save', issue: Issue) => void
}) {
  const { t } = useText()
  const id = useId()
  const [copies, setCopies] = useState(1)
  const [purpose, setPurpose] = useState('')
  const start = (how: 'print' | 'save') => onIssue(how, { ids, copies, purpose: purpose.trim() })
  return (
    <form
      className="jw-issuing__foot"
      onSubmit={(event) => {
        event.preventDefault()
        if (ids.length > 0 && acting === null) start('print')
      }}
    >
      <label htmlFor={`${id}-purpose`}>{t('documents.purpose')}</label>
      <InputGroup
        id={`${id}-purpose`}
        className="jw-issuing__purpose"
        maxLength={limits.reasonLength}
        placeholder={t('documents.purposeHint')}
        value={purpose}
        onValueChange={setPurpose}
      />
      <label htmlFor={`${id}-copies`}>{t('documents.copies')}</label>
      <HTMLSelect
        id={`${id}-copies`}
        value={copies}
        options={Array.from({ length: limits.printCopies }, (_none, n) => n + 1)}
        onChange={({ currentTarget: { value } }) => setCopies(Number(value))}
      />
      <span className="jw-muted jw-issuing__free">{t('documents.free')}</span>
      <Button
        icon={<Download />}
        text={t('common.download')}
        disabled={ids.length === 0}
        loading={acting === 'save'}
        onClick={() => start('save')}
      />
      <Button
        type="submit"
        intent="primary"
        icon={<Print />}
        text={ids.length > 1 ? t('documents.printMany', { n: ids.length }) : t('list.printNow')}
        disabled={ids.length === 0}
        loading={acting === 'print'}
      />
    </form>
  )
}
