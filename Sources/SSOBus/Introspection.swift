/// Returns the broker object's response to `org.freedesktop.DBus.Introspectable`.
func introspection(of interface: String) -> String {
  let methods = LinuxBrokerMethod.allCases.map { method in
    """
        <method name="\(method.rawValue)">
          <arg type="s" name="protocolVersion" direction="in"/>
          <arg type="s" name="correlationId" direction="in"/>
          <arg type="s" name="requestJSON" direction="in"/>
          <arg type="s" name="responseJSON" direction="out"/>
        </method>
    """
  }
  return """
    <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
      "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
    <node>
      <interface name="\(interface)">
    \(methods.joined(separator: "\n"))
      </interface>
    </node>
    """
}
