import { group } from '../group.ts'

export const documentTexts = group({
  'document.notEnrolled': [
    '您当前不是在读学生，不能开具在读证明',
    'Proof of enrolment is issued to enrolled students only',
  ],
  'document.noGrades': [
    '暂无成绩记录，不能开具',
    'There are no grades on record yet, so it cannot be issued',
  ],
  'document.missingGlyphs': [
    '字库中没有以下字符，无法制作文件，请联系教务处：{characters}',
    'The document cannot be made, for its font lacks these characters; please contact the registrar: {characters}',
  ],
  'document.notDrawn': [
    '文件制作或签名出错',
    'An error occurred while the document was drawn or signed',
  ],
  'document.unmade': [
    '款项已收到，但文件无法制作（{why}）。已告知教务处并提交退款申请，无需再次付款。',
    'The payment arrived, but the document cannot be made ({why}). The registrar has been told and a refund has been requested; do not pay again.',
  ],
  'document.unmadeKept': [
    '款项已收到，但文件无法制作（{why}）。教务处已决定暂不退款，请与教务处联系。',
    'The payment arrived, but the document cannot be made ({why}). The registrar has decided against a refund for now; please contact the registrar.',
  ],
  'document.madeAfterAll': [
    '文件已可制作，学生已下载',
    'The document could be made and was downloaded',
  ],
  'document.unmadeTitle': [
    '已付款的文件无法制作：{orderNo}',
    'A paid document cannot be made: {orderNo}',
  ],
  'document.unmadeContent': [
    '订单 {orderNo} 已付款，但文件无法制作（{why}）。请在“退款”中审批退款；修正后学生也可重新下载，退款申请随之撤回。',
    'Order {orderNo} is paid, but its document cannot be made ({why}). Decide on the refund under “Refunds”; once it is mended the student can download it again, which withdraws the request.',
  ],
  'document.revoked': [
    '该文件已被撤销，请联系教务处',
    'This document has been revoked: please contact the registrar',
  ],
  'document.revokedAlready': ['该文件已经撤销过', 'This document is revoked already'],
})
