// @vitest-environment happy-dom
import { downloadModels } from './model.ts'
import { gateWeb } from '../../surfaces/web/gate-web.tsx'
import { downloadWeb } from './web.tsx'

/** One concern of the page. */
function pickDownloadPart(name: string) {
  const { [name]: part } = downloadModels.parts
  return {
    ...downloadWeb,
    model: { ...downloadModels, parts: { [name]: part } } as typeof downloadModels,
  }
}

const oneFilter = 'one filter stands for the four: all of them are tried on the bare machine'

const frame = 'the frame of all student pages, not part of the machine'
const inList = 'tried in the concern of the list, below'
gateWeb(pickDownloadPart('pay'), {
  survivors: {
    'jw-stu__': frame,
    'jw-brand': frame,
    'jw-clock': frame,
    'jw-bell': frame,
    'jw-chip': inList,
    'jw-fee__head': inList,
    'jw-state__title': inList,
    'jw-way button 支付宝': 'says that it is not offered, without the machine',
    'button 关闭': 'closes a toast, which also closes by itself',
  },
})
// Each screen is broken where few paths lead to it.
gateWeb(pickDownloadPart('list'), {
  places: /^jw-(?!look|stu__|brand|clock|bell|steps)/,
  survivors: {
    'jw-fee__head': 'the page folds it without the machine',
    'jw-chip button 英文': oneFilter,
    'jw-chip button 成绩单': oneFilter,
    'jw-chip button 证明文件': oneFilter,
    'jw-sheet button 确认下载': 'pressed in the other concerns',
  },
})
gateWeb(pickDownloadPart('free'), {
  places: /^jw-(?:look|method|way|done|failure)/,
  survivors: { 'jw-way button 支付宝': 'says that it is not offered, without the machine' },
})
gateWeb(pickDownloadPart('resume'), {
  places: /^jw-(?:scan|qr|failure|calm)/,
  survivors: {},
})
