import { group } from '../group.ts'

export const flowPanelTexts = group({
  'flowPanel.title': ['流程', 'Flow'],
  'flowPanel.since': ['自 {at}', 'since {at}'],
  'flowPanel.applicant': ['申请人：{name}', 'Applicant: {name}'],
  'flowPanel.now': ['等待办理', 'Waiting'],
  'flowPanel.waitsFor': ['等待 {who}', 'Waiting for {who}'],
  'flowPanel.offers': ['可办理', 'You can'],
  'flowPanel.took': ['用时 {time}', 'took {time}'],
  'flowPanel.print': ['打印审批表', 'Print the sheet'],
  'flowPanel.printHow': [
    '下载审批表：申请内容与各环节意见，附学校数字签名的 PDF',
    'Download the decision sheet: the record and every note, a PDF signed by the school',
  ],
  'flowPanel.documents': ['文件', 'Documents'],
  'flowPanel.revoked': ['{at} 撤销', 'revoked {at}'],
  'flowPanel.log': ['办理经过', 'What happened'],
  'flowPanel.done': ['已办理：现为“{state}”', 'Done: it is now “{state}”'],
  'flowPanel.note': ['意见', 'Note'],
  'flowPanel.noteMissing': ['请填写意见', 'Give a note'],
  'flowPanel.fieldMissing': ['请填写“{label}”', 'Fill in “{label}”'],
  'flowPanel.timer': ['到期', 'Timer'],
})
