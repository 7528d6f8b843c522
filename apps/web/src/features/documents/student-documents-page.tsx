import { Button } from '@blueprintjs/core'
import type { ReportItem } from '@jiaowu/api/contract/student/student'
import { useState } from 'react'
import { useParams } from 'react-router-dom'
import { useApi } from '../../app/api-context.ts'
import { useText } from '../../app/text-context.ts'
import { Empty } from '../../ui/resource/page-state.tsx'
import { ResourceBody } from '../../ui/resource/resource-body.tsx'
import { useResource } from '../../ui/resource/use-resource.ts'
import { PrintPreview } from './print-preview.tsx'

interface Props {
  readonly onClose: () => void
}

/** /student/{stuNo}/documents: every document of one student, with its preview and download. */
export function StudentDocumentsPage({ onClose }: Props) {
  const { api } = useApi()
  const { stuNo = '' } = useParams()
  const reports = useResource({
    query: stuNo,
    load: (_stuNo, signal): Promise<readonly ReportItem[]> =>
      api.print.reports({ query: { stuNo }, signal }),
  })
  return (
    <ResourceBody of={reports}>
      {(items) => <Documents stuNo={stuNo} items={items} onClose={onClose} />}
    </ResourceBody>
  )
}

function Documents({
  stuNo,
  items,
  onClose,
}: Props & { readonly stuNo: string; readonly items: readonly ReportItem[] }) {
  const { t } = useText()
  const [chosen, setChosen] = useState(items[0]?.id ?? null)
  if (chosen === null) return <Empty title={t('documents.none')} />
  return (
    <div className="jw-documents">
      <nav className="jw-documents__list" aria-label={t('documents.ofStudent')}>
        {items.map(({ id, reportName }) => (
          <Button
            key={id}
            variant="minimal"
            alignText="left"
            active={id === chosen}
            aria-current={id === chosen}
            text={reportName}
            onClick={() => setChosen(id)}
          />
        ))}
      </nav>
      <div className="jw-print-page">
        <PrintPreview key={chosen} subject={{ reportId: chosen, stuNo }} onClosed={onClose} />
      </div>
    </div>
  )
}
