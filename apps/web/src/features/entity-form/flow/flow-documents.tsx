import { Button } from '@blueprintjs/core'
import { Document } from '@blueprintjs/icons'
import type { FlowStateAnswer } from '@jiaowu/api/contract/entity/flow'
import { useText } from '../../../app/text-context.ts'

interface Props {
  readonly documents: NonNullable<FlowStateAnswer['documents']>
  readonly onOpen: (number: string) => void
}

/** The documents that the case has issued; revoked ones can no longer be downloaded. */
export function FlowDocuments({ documents, onOpen }: Props) {
  const { t } = useText()
  if (documents.length === 0) return null
  return (
    <ul className="jw-flow__documents" aria-label={t('flowPanel.documents')}>
      {documents.map(({ number, name, issuedAt, revokedAt }) => (
        <li key={number}>
          {revokedAt === null ? (
            <Button
              variant="outlined"
              size="small"
              icon={<Document size={14} />}
              text={name}
              onClick={() => onOpen(number)}
            />
          ) : (
            <s>{name}</s>
          )}
          <span className="jw-muted">
            {number} · {revokedAt === null ? issuedAt : t('flowPanel.revoked', { at: revokedAt })}
          </span>
        </li>
      ))}
    </ul>
  )
}
