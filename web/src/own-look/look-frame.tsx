import type { Look } from '@signet/look/browser';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLatest } from '../shell/stable.js';
import { FRAME_ADDRESS, type FrameMessage, type LookRequest } from './messages.js';

/** For how long the document of the frame is waited for, milliseconds. */
const READY_MS = 15_000;

interface LookFrameProps {
  request: LookRequest;
  title: string;
  onAsking: (hosts: string[]) => void;
  /** Called once; with null where the frame did not load. */
  onLook: (look: Look | null) => void;
  onDeclined: () => void;
}

/** The frame in which one look is made: no taller than what it asks the visitor, and without height while it looks. */
export function LookFrame({ request, title, onAsking, onLook, onDeclined }: LookFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const port = useRef<MessagePort | undefined>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const [height, setHeight] = useState(0);
  const latest = useLatest(onLook);
  useEffect(() => {
    timer.current = setTimeout(() => latest.current(null), READY_MS);
    return () => {
      clearTimeout(timer.current);
      port.current?.close();
    };
  }, [latest]);
  const hear = (message: FrameMessage) => {
    switch (message.kind) {
      case 'ready':
        return clearTimeout(timer.current);
      case 'height':
        return setHeight(message.height);
      case 'asking':
        setHeight(0);
        return onAsking(message.hosts);
      case 'declined':
        return onDeclined();
      case 'look':
        return onLook(message.look);
    }
  };
  const start = () => {
    const { port1, port2 } = new MessageChannel();
    port.current = port1;
    port1.onmessage = ({ data }) => hear(data as FrameMessage);
    // The origin of the frame is opaque, so no other target can be named; it holds nothing but this server's document.
    frame.current!.contentWindow!.postMessage(request, '*', [port2]);
  };
  return (
    <iframe
      ref={frame}
      class="look-frame"
      sandbox="allow-scripts"
      src={FRAME_ADDRESS}
      title={title}
      height={height}
      onLoad={start}
    />
  );
}
