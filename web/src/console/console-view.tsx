import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { useTitle } from '../shell/frame.js';
import { adminCall, AdminError, storedToken, storeToken } from './admin-api.js';

type Panels = FunctionComponent<{ token: string; leave: () => void }>;

/** `/console`: for operators. Nothing behind the token, not even the code that shows it, is loaded without one. */
export default function ConsoleView() {
  useTitle(t('console.title'));
  const [token, setToken] = useState<string | null>(storedToken);
  const [Shown, setShown] = useState<{ panels: Panels } | null>(null);
  const [problem, setProblem] = useState('');
  const leave = () => {
    storeToken(null);
    setToken(null);
    setShown(null);
  };
  useEffect(() => {
    if (token === null) return;
    const open = async () => {
      await adminCall(token, 'revalidation');
      storeToken(token);
      const { ConsolePanels } = await import('./panels.js');
      setShown({ panels: ConsolePanels });
      setProblem('');
    };
    open().catch((error: unknown) => {
      if (error instanceof AdminError && error.status === 401) leave();
      setProblem(error instanceof Error ? error.message : String(error));
    });
  }, [token]);
  return (
    <>
      <h1>{t('console.title')}</h1>
      {Shown && token !== null ? (
        <Shown.panels token={token} leave={leave} />
      ) : (
        <TokenForm problem={problem} enter={(text) => setToken(text)} />
      )}
    </>
  );
}

function TokenForm({ problem, enter }: { problem: string; enter: (token: string) => void }) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const field = form.elements.namedItem('token') as HTMLInputElement;
    if (field.value !== '') enter(field.value);
    form.reset();
  };
  return (
    <form class="token-form" onSubmit={submit}>
      <label for="admin-token">{t('console.token')}</label>
      <input id="admin-token" name="token" type="password" autocomplete="off" required />
      <p class="quiet small">{t('console.token_text')}</p>
      <button type="submit" class="primary">
        {t('console.enter')}
      </button>
      <p role="alert" class="form-problem">
        {problem}
      </p>
    </form>
  );
}
