import { Upload } from '@blueprintjs/icons'
import { limits } from '@jiaowu/api/limits'
import { useText } from '../../../app/text-context.ts'

/** Says in an empty drop zone how a sheet is chosen, and how large it may be. */
export function SheetDropHint({ onChoose }: { readonly onChoose: () => void }) {
  const { t } = useText()
  return (
    <>
      <Upload size={28} className="jw-drop__icon" />
      <span>
        {t('import.drop')}{' '}
        <button type="button" className="jw-drop__choose" onClick={onChoose}>
          {t('import.choose')}
        </button>
      </span>
      <small className="jw-muted">
        {t('import.limits', { mb: Math.floor(limits.importBytes / 1_048_576) })}
      </small>
    </>
  )
}
