/** The few words of `<signet-proof>`. `{0}` is a date. */
export interface Texts {
  checking: string;
  unreachable: string;
  /** What the server says. */
  valid: string;
  gone: string;
  not_bound: string;
  /** What was checked here, and what was not: of a wallet, and of an account with a post. */
  checked: string;
  checked_post: string;
  failed: string;
  unknown: string;
}

const NAMES = [
  'checking',
  'unreachable',
  'valid',
  'gone',
  'not_bound',
  'checked',
  'checked_post',
  'failed',
  'unknown',
] as const;

/** In the order of `NAMES`. */
const TEXTS: Record<string, string> = {
  en: 'Checking …|Could not be checked: no answer|Server: valid on {0}|Server: gone, seen {0}|Server: no such connection|Both signatures checked here; newer revokes not|Signature checked here; post and newer revokes not|Does not verify|Not checked here',
  zh: '正在核对…|无法核对：没有应答|服务器：{0} 有效|服务器：{0} 已失效|服务器：未绑定|两个签名已在此核对；更新的撤销未核对|签名已在此核对；帖子和更新的撤销未核对|核对不通过|未在此核对',
  ja: '確認中…|確認できません：応答がありません|サーバー：{0} に有効|サーバー：{0} に消失を確認|サーバー：未登録|両方の署名をここで検証済み。新しい取り消しは未検証|署名をここで検証済み。投稿と新しい取り消しは未検証|検証に失敗|ここでは未検証',
  ko: '확인 중…|확인할 수 없음: 응답 없음|서버: {0} 유효|서버: {0} 사라짐|서버: 연결 없음|두 서명을 여기서 검증함, 더 새로운 철회는 아님|서명을 여기서 검증함, 게시물과 더 새로운 철회는 아님|검증 실패|여기서 검증 안 됨',
  de: 'Wird geprüft …|Nicht prüfbar: keine Antwort|Server: gültig am {0}|Server: fort, gesehen {0}|Server: nicht verknüpft|Beide Unterschriften hier geprüft, neuere Widerrufe nicht|Unterschrift hier geprüft, Beitrag und neuere Widerrufe nicht|Prüfung misslungen|Hier nicht geprüft',
  fr: 'Vérification …|Vérification impossible : pas de réponse|Serveur : valide le {0}|Serveur : disparu, vu le {0}|Serveur : non lié|Les deux signatures vérifiées ici, pas les révocations plus récentes|Signature vérifiée ici, pas la publication ni les révocations plus récentes|Échec de la vérification|Non vérifié ici',
  es: 'Comprobando …|No se pudo comprobar: sin respuesta|Servidor: válido el {0}|Servidor: desaparecido, visto el {0}|Servidor: sin vincular|Ambas firmas comprobadas aquí; revocaciones más recientes, no|Firma comprobada aquí; la publicación y revocaciones más recientes, no|No supera la comprobación|No comprobado aquí',
  pt: 'A verificar …|Não foi possível verificar: sem resposta|Servidor: válido em {0}|Servidor: desaparecido, visto em {0}|Servidor: não vinculado|Ambas as assinaturas verificadas aqui; revogações mais recentes, não|Assinatura verificada aqui; a publicação e revogações mais recentes, não|Não passa na verificação|Não verificado aqui',
};

/** The words of a language tag, or the English ones. */
export function textsOf(tag: string): Texts {
  const words = (TEXTS[tag.slice(0, 2).toLowerCase()] ?? TEXTS['en']!).split('|');
  return Object.fromEntries(NAMES.map((name, index) => [name, words[index]])) as unknown as Texts;
}
