// What people do to records, in Simplified Chinese, as it stands in “您没有权限对……执行……操作”.
import type { verbs as english } from "../en/verbs.ts";

export const verbs = {
  to_index: "列出",
  to_view: "查看",
  to_add: "添加",
  to_edit: "编辑",
  to_delete: "删除",
  to_comment: "评论",
  to_import: "导入",
  to_export: "导出",
  to_bulk: "批量更改",
  to_design: "设计",
  to_restore: "恢复",
  to_purge: "永久删除",
  to_share: "共享",
  to_move: "移动记录",
  to_deactivate: "停用",
  to_activate: "启用",
  to_resend: "重新发送",
  to_reset_mfa: "重置双重验证",
  to_revoke: "撤销",
  to_see_access: "查看访问权限",
  record_types: "记录类型",
} as const satisfies Record<keyof typeof english, string>;
